#include "headroom/net/capture_reader.hh"

#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <string>

namespace headroom {
namespace {

using ::testing::HasSubstr;
using Bytes = std::vector<uint8_t>;
using Status = CaptureReader::Status;

constexpr int64_t kSecond = 1'000'000'000;

// Blocks of pcapng, in one byte order.
class Blocks {
 public:
  explicit Blocks(bool big_endian = false) : big_endian_(big_endian) {}

  static Blocks section(bool big_endian = false) {
    Blocks blocks(big_endian);
    return blocks.block(0x0a0d0d0a, Blocks(big_endian).u(0x1a2b3c4d, 4).u(1, 2).u(0, 2).u(-1, 8));
  }
  // A number of `size` bytes; of more than eight, zeroes.
  Blocks& u(uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t place = big_endian_ ? size - 1 - i : i;
      bytes.push_back(place < 8 ? static_cast<uint8_t>(value >> 8 * place) : uint8_t{0});
    }
    return *this;
  }
  Blocks& add(const Blocks& other) {
    bytes.insert(bytes.end(), other.bytes.begin(), other.bytes.end());
    return *this;
  }
  Blocks& block(uint32_t type, Blocks body) {
    while (body.bytes.size() % 4 != 0) body.bytes.push_back(0);
    const std::size_t length = body.bytes.size() + 12;
    return u(type, 4).u(length, 4).add(body).u(length, 4);
  }
  Blocks& interface(uint32_t type, uint32_t snap_length = 0, int resolution = -1,
                    int64_t offset = 0) {
    Blocks body(big_endian_);
    body.u(type, 2).u(0, 2).u(snap_length, 4);
    if (resolution >= 0) body.u(9, 2).u(1, 2).u(static_cast<uint64_t>(resolution), 1).u(0, 3);
    if (offset != 0) body.u(14, 2).u(8, 2).u(static_cast<uint64_t>(offset), 8);
    return block(1, body.u(0, 4));
  }
  Blocks& packet(uint32_t interface, uint64_t time, std::size_t size, uint32_t length = 0) {
    Blocks body(big_endian_);
    body.u(interface, 4).u(time >> 32, 4).u(time, 4).u(size, 4).u(length, 4);
    for (std::size_t i = 0; i < size; ++i) body.u(i, 1);
    return block(6, body);
  }

  Bytes bytes;

 private:
  bool big_endian_;
};

struct Seen {
  int64_t time;
  uint32_t length;
  uint32_t interface;
  int link_type;
  std::size_t size;
  bool operator==(const Seen&) const = default;
};

struct Result {
  bool opened = false;
  std::vector<Seen> packets;
  Status status = Status::end;
  int link_type = -1;
  std::string message;
};

Result read(const Bytes& bytes) {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> file(std::tmpfile());
  if (!bytes.empty()) std::fwrite(bytes.data(), 1, bytes.size(), file.get());
  std::rewind(file.get());
  CaptureReader reader;
  Result result;
  result.opened = reader.open(file.get());
  CaptureReader::Record record;
  while (result.opened && (result.status = reader.next(record)) == Status::packet)
    result.packets.push_back(
        {record.time, record.length, record.interface, record.link_type, record.bytes.size()});
  if (result.opened) {
    EXPECT_EQ(reader.next(record), result.status) << "the end stays the end";
  }
  result.link_type = reader.link_type();
  result.message = reader.message();
  return result;
}

TEST(CaptureReaderTest, InterfacesOfAllKinds) {
  for (const bool big_endian : {false, true}) {
    Blocks file = Blocks::section(big_endian);
    file.interface(1, 100).interface(101, 9000, 9).block(0xbad, Blocks(big_endian).u(1, 5));
    file.packet(0, 5'000'001, 30, 30).packet(1, 7, 5, 60).interface(113, 0, 0x80 | 10);
    file.packet(2, 3 << 9, 0, 0);
    const Result result = read(file.bytes);
    EXPECT_EQ(result.packets, (std::vector<Seen>{{5 * kSecond + 1000, 30, 0, 1, 30},
                                                 {7, 60, 1, 12, 5},
                                                 {kSecond * 3 / 2, 0, 2, 113, 0}}));
    EXPECT_EQ(result.status, Status::end);
    EXPECT_EQ(result.link_type, 1);
  }
}

TEST(CaptureReaderTest, ASectionBeginsInterfacesAnew) {
  Blocks file = Blocks::section();
  file.interface(1).interface(1).packet(1, 1, 4, 4);
  file.add(Blocks::section(true).interface(101).packet(0, 2, 4, 4));
  const Result result = read(file.bytes);
  EXPECT_EQ(result.packets, (std::vector<Seen>{{1000, 4, 1, 1, 4}, {2000, 4, 0, 12, 4}}));
  file.add(Blocks::section(true).packet(0, 2, 4, 4));
  EXPECT_EQ(read(file.bytes).message, "packet 3 makes no sense: there is no interface 0");
}

TEST(CaptureReaderTest, TheLinkTypeIsTheFirstPackets) {
  Blocks file = Blocks::section();
  file.interface(1).interface(101);
  EXPECT_EQ(read(file.bytes).link_type, 1);
  file.packet(1, 1, 4, 4).packet(0, 1, 4, 4);
  EXPECT_EQ(read(file.bytes).link_type, 12);
  EXPECT_TRUE(read(Blocks::section().bytes).opened) << "without any interface there are no packets";
}

TEST(CaptureReaderTest, OtherPacketBlocks) {
  Blocks file = Blocks::section();
  file.interface(1, 6);
  file.block(3, Blocks().u(10, 4).u(0, 6));
  file.block(3, Blocks().u(2, 4).u(0, 2));
  file.block(2, Blocks().u(0, 2).u(0, 2).u(0, 4).u(9, 4).u(3, 4).u(7, 4).u(0, 3));
  EXPECT_EQ(read(file.bytes).packets,
            (std::vector<Seen>{{0, 10, 0, 1, 6}, {0, 2, 0, 1, 2}, {9000, 7, 0, 1, 3}}));
}

TEST(CaptureReaderTest, Times) {
  const auto time = [](uint64_t time, int resolution, int64_t offset = 0) {
    Blocks file = Blocks::section();
    file.interface(1, 0, resolution, offset).packet(0, time, 0);
    return read(file.bytes).packets.at(0).time;
  };
  EXPECT_EQ(time(1'700'000'000, 0), 1'700'000'000 * kSecond);
  EXPECT_EQ(time(5'000'000'000'000, 12), 5 * kSecond);
  EXPECT_EQ(time(~uint64_t{0}, 127), 0);
  EXPECT_EQ(time(~uint64_t{0}, 0xff), 0);
  EXPECT_EQ(time(~uint64_t{0}, 0), 0);
  EXPECT_EQ(time(~uint64_t{0}, 0x80 | 60), 15'999'999'999);
  EXPECT_EQ(time(1, 9, 10), 10 * kSecond + 1);
  EXPECT_EQ(time(1, 9, -10), 0);
  EXPECT_EQ(time(1, 9, INT64_MAX), 0);
  EXPECT_EQ(time(1, 9, INT64_MIN), 0);
}

TEST(CaptureReaderTest, WhatMakesNoSense) {
  const auto message = [](const std::function<void(Blocks&)>& change) {
    Blocks file = Blocks::section();
    file.interface(1);
    change(file);
    const Result result = read(file.bytes);
    EXPECT_EQ(result.status, Status::broken);
    return result.message;
  };
  EXPECT_EQ(message([](Blocks& file) { file.packet(1, 0, 4, 4); }),
            "packet 1 makes no sense: there is no interface 1");
  EXPECT_EQ(message([](Blocks& file) { file.u(6, 4).u(8, 4).u(0, 8); }),
            "block before packet 1 makes no sense: 8 bytes long");
  EXPECT_EQ(message([](Blocks& file) { file.u(6, 4).u(0xfffffffc, 4).u(0, 8); }),
            "block before packet 1 makes no sense: 4294967292 bytes long");
  EXPECT_EQ(message([](Blocks& file) { file.u(77, 4).u(0xfffffffc, 4).u(0, 8); }),
            "truncated block before packet 1: 16 of 4294967292 bytes are there");
  EXPECT_EQ(message([](Blocks& file) { file.u(6, 4).u(12, 4).u(16, 4); }),
            "block before packet 1 makes no sense: its lengths differ");
  const std::string longer =
      "block before packet 1 makes no sense: what it holds is longer than it is";
  EXPECT_EQ(message([](Blocks& file) { file.block(6, Blocks().u(0, 16)); }), longer);
  EXPECT_EQ(message([](Blocks& file) { file.block(2, Blocks().u(0, 16)); }), longer);
  EXPECT_EQ(message([](Blocks& file) { file.block(3, Blocks()); }), longer);
  EXPECT_EQ(message([](Blocks& file) { file.block(1, Blocks().u(0, 4)); }), longer);
  EXPECT_EQ(message([](Blocks& file) { file.block(1, Blocks().u(0, 8).u(9, 2).u(400, 2)); }),
            longer);
  EXPECT_EQ(message([](Blocks& file) { file.block(6, Blocks().u(0, 12).u(9, 4).u(9, 4).u(0, 8)); }),
            longer);
  EXPECT_EQ(message([](Blocks& file) { file.block(3, Blocks().u(9, 4).u(0, 8)); }), longer);
  EXPECT_EQ(message([](Blocks& file) { file.u(0x0a0d0d0a, 4).u(28, 4).u(0, 20); }),
            "the header of a section makes no sense: its byte order is none");
  EXPECT_EQ(message([](Blocks& file) { file.u(0x0a0d0d0a, 4).u(16, 4).u(0x1a2b3c4d, 4).u(16, 4); }),
            "the header of a section makes no sense: 16 bytes long");
}

TEST(CaptureReaderTest, FilesOfOtherKinds) {
  EXPECT_THAT(read({}).message, HasSubstr("is empty"));
  EXPECT_THAT(read(Bytes(3)).message, HasSubstr("truncated file header: 3 of 24"));
  EXPECT_THAT(read(Bytes(30, 'x')).message, HasSubstr("unknown file format"));
  EXPECT_THAT(read({0x1f, 0x8b, 8, 0}).message, HasSubstr("zcat FILE"));
  EXPECT_THAT(read(Blocks().u(0xa1b2c3d4, 4).u(3, 2).u(0, 18).bytes).message,
              HasSubstr("version 3.0 of pcap"));
  EXPECT_THAT(read(Blocks().u(0x0a0d0d0a, 4).u(28, 4).u(0x1a2b3c4d, 4).u(2, 4).bytes).message,
              HasSubstr("version 2 of pcapng"));
}

// Of pcap, the older form with 8 more bytes in every record's header, and the highest bits of the
// link type.
TEST(CaptureReaderTest, Pcap) {
  Blocks file;
  file.u(0xa1b2cd34, 4).u(2, 2).u(4, 2).u(0, 12).u(0xf4000065, 4);
  file.u(4'000'000'000, 4).u(5, 4).u(3, 4).u(9, 4).u(0, 8).u(0, 3);
  EXPECT_EQ(read(file.bytes).packets,
            (std::vector<Seen>{{4'000'000'000 * kSecond + 5000, 9, 0, 12, 3}}));
  file.u(0, 8).u(262'145, 4).u(0, 12);
  EXPECT_EQ(read(file.bytes).message, "packet 2 makes no sense: 262145 bytes captured");
}

}  // namespace
}  // namespace headroom
