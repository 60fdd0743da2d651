// Capture files, made and taken apart byte by byte, so that the library that the elements use is
// not also what judges them.
#pragma once

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "headroom/click/reader.hh"
#include "test_router.hh"

namespace headroom::test {

// A directory that ends with the test.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "headroom-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

struct CapturedPacket {
  int64_t time = 0;  // nanoseconds
  Bytes bytes;
  uint32_t length = 0;  // on the wire; 0 is that of the bytes
  uint32_t wire_length() const {
    return length != 0 ? length : static_cast<uint32_t>(bytes.size());
  }
};

// Numbers in the byte order of the file.
class FileBytes {
 public:
  explicit FileBytes(bool big_endian = false) : big_endian_(big_endian) {}
  FileBytes& u16(uint32_t value) { return number(value, 2); }
  FileBytes& u32(uint64_t value) { return number(value, 4); }
  FileBytes& raw(const Bytes& more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return *this;
  }
  FileBytes& pad4() {
    while (bytes.size() % 4 != 0) bytes.push_back(0);
    return *this;
  }
  Bytes bytes;

 private:
  FileBytes& number(uint64_t value, int size) {
    for (int i = 0; i < size; ++i)
      bytes.push_back(static_cast<uint8_t>(value >> 8 * (big_endian_ ? size - 1 - i : i)));
    return *this;
  }
  bool big_endian_;
};

struct PcapForm {
  bool nanoseconds = true;
  bool big_endian = false;
};
inline Bytes pcap_file(const std::vector<CapturedPacket>& packets, PcapForm form = {}) {
  FileBytes file(form.big_endian);
  file.u32(form.nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4).u16(2).u16(4).u32(0).u32(0);
  file.u32(262144).u32(1);
  for (const CapturedPacket& packet : packets) {
    file.u32(static_cast<uint64_t>(packet.time / 1'000'000'000));
    file.u32(static_cast<uint64_t>(packet.time % 1'000'000'000 / (form.nanoseconds ? 1 : 1'000)));
    file.u32(packet.bytes.size()).u32(packet.wire_length()).raw(packet.bytes);
  }
  return file.bytes;
}

// A section, an interface with timestamps of 10^-`digits` s, and enhanced packet blocks.
inline Bytes pcapng_file(const std::vector<CapturedPacket>& packets, int digits = 9) {
  FileBytes file;
  file.u32(0x0a0d0d0a).u32(28).u32(0x1a2b3c4d).u16(1).u16(0).u32(~0u).u32(~0u).u32(28);
  file.u32(1).u32(32).u16(1).u16(0).u32(262144);
  file.u16(9).u16(1).u32(static_cast<uint64_t>(digits)).u16(0).u16(0).u32(32);
  uint64_t unit = 1;
  for (int i = digits; i < 9; ++i) unit *= 10;
  for (const CapturedPacket& packet : packets) {
    const uint64_t size = 32 + (packet.bytes.size() + 3) / 4 * 4;
    const uint64_t time = static_cast<uint64_t>(packet.time) / unit;
    file.u32(6).u32(size).u32(0).u32(time >> 32).u32(time & 0xffffffff);
    file.u32(packet.bytes.size()).u32(packet.wire_length()).raw(packet.bytes).pad4().u32(size);
  }
  return file.bytes;
}

inline std::string write_file(const std::string& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  return path;
}
inline Bytes read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes{std::istreambuf_iterator<char>(file), {}};
}

struct ReadCapture {
  bool nanoseconds = false;
  uint32_t snaplen = 0;
  uint32_t link_type = 0;
  std::vector<CapturedPacket> packets;  // `length` is always set
};
// A little-endian pcap file, which must end with a whole packet.
inline ReadCapture read_capture(const std::string& path) {
  const Bytes bytes = read_file(path);
  ReadCapture capture;
  auto u32 = [&](std::size_t at) {
    uint32_t value = 0;
    if (at + 4 <= bytes.size()) std::memcpy(&value, bytes.data() + at, 4);
    return value;
  };
  const bool micro = u32(0) == 0xa1b2c3d4;
  capture.nanoseconds = u32(0) == 0xa1b23c4d;
  EXPECT_TRUE(micro || capture.nanoseconds) << path << " is no capture file";
  if (!micro && !capture.nanoseconds) return capture;
  capture.snaplen = u32(16);
  capture.link_type = u32(20);
  std::size_t at = 24;
  while (at + 16 <= bytes.size()) {
    CapturedPacket packet;
    packet.time = u32(at) * int64_t{1'000'000'000} + u32(at + 4) * int64_t{micro ? 1'000 : 1};
    const uint32_t size = u32(at + 8);
    packet.length = u32(at + 12);
    at += 16;
    EXPECT_LE(at + size, bytes.size()) << path << " ends in the middle of a packet";
    if (at + size > bytes.size()) return capture;
    packet.bytes.assign(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                        bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
    capture.packets.push_back(std::move(packet));
    at += size;
  }
  EXPECT_EQ(at, bytes.size()) << path << " ends in the middle of a record's header";
  return capture;
}
inline std::vector<Bytes> bytes_in(const ReadCapture& capture) {
  std::vector<Bytes> all;
  for (const CapturedPacket& packet : capture.packets) all.push_back(packet.bytes);
  return all;
}

// What a configuration reports that is right until it is initialized.
inline std::string start_errors(std::string_view config) {
  Diagnostics diagnostics;
  const uint32_t file = diagnostics.sources().add("config", std::string(config));
  const click::FlatGraph graph = click::read(file, Registry::instance(), diagnostics);
  auto router = Router::build(graph, nullptr, diagnostics);
  EXPECT_TRUE(diagnostics.ok()) << diagnostics.render(Diagnostics::Form::plain);
  if (!router) return "not built";
  SimulatedClock clock;
  std::string error;
  static int number = 0;
  auto pool =
      Pool::create({.name = "start-" + std::to_string(number++), .packets = 63, .cache = 0}, error);
  Scheduler scheduler(clock);
  const WorkerContext worker{.scheduler = &scheduler, .pool = pool.get()};
  EXPECT_FALSE(router->initialize(worker, nullptr, diagnostics));
  router.reset();
  return diagnostics.render(Diagnostics::Form::plain);
}

}  // namespace headroom::test
