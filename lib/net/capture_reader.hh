// Reads capture files, pcap and pcapng of either byte order, from where they stand, so also from
// pipes.
//
//   CaptureReader reader;
//   if (!reader.open(file)) ...                   // reader.message() says why
//   CaptureReader::Record record;
//   while (reader.next(record) == CaptureReader::Status::packet) ...
//
// A file may have packets of several link types; every record says its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headroom/net/link_type.hh"

namespace headroom {

class CaptureReader {
 public:
  enum class Status : uint8_t {
    packet,
    end,
    broken  // message() says how; nothing can be read behind it
  };
  struct Record {
    int64_t time = 0;        // nanoseconds since the epoch; 0 when the file does not tell one
    uint32_t length = 0;     // on the wire
    uint32_t interface = 0;  // its number
    int link_type = kLinkEther;
    std::span<const uint8_t> bytes;  // until the next call
  };

  // Reads the header of the file, which stays the caller's.
  bool open(std::FILE* file);
  Status next(Record& record);

  // That of the first packet, or of the first interface where there are no packets.
  int link_type() const { return link_type_; }
  // Bytes before the next packet, or the blocks before it.
  uint64_t position() const { return first_ ? first_position_ : position_; }
  const std::string& message() const { return message_; }

 private:
  struct Interface {
    int link_type = kLinkEther;
    uint32_t snap_length = 0;  // 0 is all
    uint8_t resolution = 6;    // negative power of 10, or of 2 with the highest bit
    int64_t offset = 0;        // seconds
  };
  enum class Block : uint8_t { packet, other, end, broken };

  bool open_pcap(uint32_t magic);
  bool open_blocks();
  Status next_pcap(Record& record);
  Block next_block(Record& record);
  Block read_block(uint32_t type, uint32_t length, Record& record);
  bool read_section();
  bool read_interface();
  bool read_enhanced(Record& record);
  bool read_obsolete(Record& record);
  bool read_simple(Record& record);
  bool fill(Record& record, uint32_t interface, uint64_t time, std::size_t at);
  static int64_t nanoseconds(uint64_t time, const Interface& interface);

  // Appends so many bytes of the file to buffer_; false when there are fewer.
  bool take(std::size_t size);
  bool skip(uint64_t size);
  bool fail(std::string message);
  bool truncated(const std::string& what, uint64_t there, uint64_t size);
  template <class T>
  T number(std::size_t at) const;
  std::string next_name() const { return "packet " + std::to_string(packets_ + 1); }

  std::FILE* file_ = nullptr;
  bool big_endian_ = false;
  bool blocks_ = false;  // pcapng
  int64_t unit_ = 1;     // of pcap's fractions of seconds
  std::size_t record_header_ = 0;
  std::vector<Interface> interfaces_;  // of the section
  int link_type_ = kLinkEther;
  bool has_link_type_ = false;
  std::optional<Block> first_;  // read by open()
  Record first_record_;
  uint64_t first_position_ = 0;
  std::vector<uint8_t> buffer_;
  uint64_t position_ = 0;
  uint64_t packets_ = 0;
  std::string message_;
};

}  // namespace headroom
