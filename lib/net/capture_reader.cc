#include "headroom/net/capture_reader.hh"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace headroom {
namespace {

constexpr uint32_t kMicroseconds = 0xa1b2c3d4;
constexpr uint32_t kNanoseconds = 0xa1b23c4d;
constexpr uint32_t kLongRecords = 0xa1b2cd34;  // microseconds, with 8 more bytes per record
constexpr uint32_t kSection = 0x0a0d0d0a;
constexpr uint32_t kSectionMagic = 0x1a2b3c4d;

constexpr uint32_t kInterfaceBlock = 1;
constexpr uint32_t kObsoletePacketBlock = 2;
constexpr uint32_t kSimplePacketBlock = 3;
constexpr uint32_t kEnhancedPacketBlock = 6;
constexpr uint32_t kBlockFrame = 12;  // type, length and, at the end, length

constexpr uint16_t kOptionResolution = 9;
constexpr uint16_t kOptionOffset = 14;

// More than that no program writes, so that it is a broken file that says so.
constexpr uint32_t kMostCaptured = 262'144;
constexpr uint32_t kLargestBlock = 16U << 20;

// Files number these link types otherwise than DLT does.
constexpr std::pair<uint32_t, int> kRenumbered[] = {
    {100, 11}, {101, kLinkRaw}, {102, 15}, {103, 16}, {106, 19}};

int link_type_of(uint32_t in_file) {
  for (const auto& [number, type] : kRenumbered)
    if (number == in_file) return type;
  return static_cast<int>(in_file);
}

struct Magic {
  uint8_t bytes[2];
  const char* unpack;
};
constexpr Magic kCompressed[] = {{{0x1f, 0x8b}, "zcat"},
                                 {{'B', 'Z'}, "bzcat"},
                                 {{0xfd, '7'}, "xzcat"},
                                 {{0x28, 0xb5}, "zstdcat"}};

}  // namespace

template <class T>
T CaptureReader::number(std::size_t at) const {
  uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value |= uint64_t{buffer_[at + (big_endian_ ? sizeof(T) - 1 - i : i)]} << 8 * i;
  return static_cast<T>(value);
}

bool CaptureReader::fail(std::string message) {
  message_ = std::move(message);
  return false;
}

bool CaptureReader::truncated(const std::string& what, uint64_t there, uint64_t size) {
  if (std::ferror(file_) != 0) return fail(std::strerror(errno));
  return fail("truncated " + what + ": " + std::to_string(there) + " of " + std::to_string(size) +
              " bytes are there");
}

bool CaptureReader::take(std::size_t size) {
  const std::size_t before = buffer_.size();
  buffer_.resize(before + size);
  const std::size_t got = std::fread(buffer_.data() + before, 1, size, file_);
  buffer_.resize(before + got);
  position_ += got;
  return got == size;
}

bool CaptureReader::skip(uint64_t size) {
  while (size > 0) {
    buffer_.clear();
    if (!take(std::min<uint64_t>(size, 65536))) return false;
    size -= buffer_.size();
  }
  return true;
}

bool CaptureReader::open(std::FILE* file) {
  file_ = file;
  if (!take(4)) {
    if (buffer_.empty() && std::ferror(file_) == 0)
      return fail("is empty: a capture without packets has a header, too");
    return truncated("file header", buffer_.size(), 24);
  }
  if (number<uint32_t>(0) == kSection) {
    return open_blocks();
  }
  for (const bool big_endian : {false, true}) {
    big_endian_ = big_endian;
    const auto magic = number<uint32_t>(0);
    if (magic == kMicroseconds || magic == kNanoseconds || magic == kLongRecords)
      return open_pcap(magic);
  }
  for (const Magic& magic : kCompressed)
    if (std::equal(std::begin(magic.bytes), std::end(magic.bytes), buffer_.begin()))
      return fail(std::string("is compressed; ") + magic.unpack +
                  " FILE | headroom ... reads it as FromDump(-)");
  return fail("unknown file format, neither pcap nor pcapng; editcap FILE NEW converts others");
}

// Up to the first packet, whose link type is the file's: interfaces may be without any.
bool CaptureReader::open_blocks() {
  blocks_ = true;
  if (!take(4)) return truncated("file header", buffer_.size(), 28);
  if (!read_section()) return false;
  Block block = Block::other;
  while (block == Block::other) {
    first_position_ = position_;
    block = next_block(first_record_);
  }
  first_ = block;
  return block != Block::broken || !interfaces_.empty();
}

bool CaptureReader::open_pcap(uint32_t magic) {
  if (!take(20)) return truncated("file header", buffer_.size(), 24);
  if (number<uint16_t>(4) != 2)
    return fail("version " + std::to_string(number<uint16_t>(4)) + '.' +
                std::to_string(number<uint16_t>(6)) + " of pcap is not known");
  unit_ = magic == kNanoseconds ? 1 : 1'000;
  record_header_ = magic == kLongRecords ? 24 : 16;
  // The upper bits tell of checksums at the packets' ends.
  link_type_ = link_type_of(number<uint32_t>(20) & 0x03ffffff);
  return true;
}

CaptureReader::Status CaptureReader::next(Record& record) {
  if (!blocks_) return message_.empty() ? next_pcap(record) : Status::broken;
  for (;;) {
    const std::optional<Block> first = std::exchange(first_, std::nullopt);
    if (first) record = first_record_;
    switch (first ? *first : message_.empty() ? next_block(record) : Block::broken) {
      case Block::packet:
        return Status::packet;
      case Block::other:
        break;
      case Block::end:
        return Status::end;
      case Block::broken:
        return Status::broken;
    }
  }
}

CaptureReader::Status CaptureReader::next_pcap(Record& record) {
  buffer_.clear();
  if (!take(record_header_)) {
    if (buffer_.empty() && std::ferror(file_) == 0) return Status::end;
    truncated("header of " + next_name(), buffer_.size(), record_header_);
    return Status::broken;
  }
  const auto captured = number<uint32_t>(8);
  if (captured > kMostCaptured) {
    fail(next_name() + " makes no sense: " + std::to_string(captured) + " bytes captured");
    return Status::broken;
  }
  if (!take(captured)) {
    truncated(next_name(), buffer_.size() - record_header_, captured);
    return Status::broken;
  }
  ++packets_;
  record.time = int64_t{number<uint32_t>(0)} * 1'000'000'000 + int64_t{number<uint32_t>(4)} * unit_;
  record.length = number<uint32_t>(12);
  record.interface = 0;
  record.link_type = link_type_;
  record.bytes = std::span<const uint8_t>(buffer_).subspan(record_header_);
  return Status::packet;
}

CaptureReader::Block CaptureReader::next_block(Record& record) {
  buffer_.clear();
  if (!take(8)) {
    if (buffer_.empty() && std::ferror(file_) == 0) return Block::end;
    truncated("block before " + next_name(), buffer_.size(), kBlockFrame);
    return Block::broken;
  }
  // The type of a section's block reads the same in both byte orders.
  const auto type = number<uint32_t>(0);
  if (type == kSection) return read_section() ? Block::other : Block::broken;
  return read_block(type, number<uint32_t>(4), record);
}

// The rest of a block whose type and length were read.
CaptureReader::Block CaptureReader::read_block(uint32_t type, uint32_t length, Record& record) {
  const bool known = type == kInterfaceBlock || type == kObsoletePacketBlock ||
                     type == kSimplePacketBlock || type == kEnhancedPacketBlock;
  const std::string what = "block before " + next_name();
  if (length < kBlockFrame || length % 4 != 0 || (known && length > kLargestBlock)) {
    fail(what + " makes no sense: " + std::to_string(length) + " bytes long");
    return Block::broken;
  }
  if (!known) {
    const uint64_t start = position_ - 8;
    if (skip(length - 8)) return Block::other;
    truncated(what, position_ - start, length);
    return Block::broken;
  }
  if (!take(length - 8)) {
    truncated(type == kInterfaceBlock ? what : next_name(), buffer_.size(), length);
    return Block::broken;
  }
  if (number<uint32_t>(length - 4) != length) {
    fail(what + " makes no sense: its lengths differ");
    return Block::broken;
  }
  buffer_.resize(length - 4);
  bool good = false;
  switch (type) {
    case kInterfaceBlock:
      good = read_interface();
      break;
    case kEnhancedPacketBlock:
      good = read_enhanced(record);
      break;
    case kObsoletePacketBlock:
      good = read_obsolete(record);
      break;
    default:
      good = read_simple(record);
  }
  if (!good) {
    if (message_.empty()) fail(what + " makes no sense: what it holds is longer than it is");
    return Block::broken;
  }
  if (type == kInterfaceBlock) return Block::other;
  if (++packets_ == 1) link_type_ = record.link_type;
  return Block::packet;
}

// The rest of a section's header, which begins numbers and interfaces anew.
bool CaptureReader::read_section() {
  if (!take(4)) return truncated("header of a section", buffer_.size(), 28);
  big_endian_ = false;
  if (number<uint32_t>(8) != kSectionMagic) big_endian_ = true;
  if (number<uint32_t>(8) != kSectionMagic)
    return fail("the header of a section makes no sense: its byte order is none");
  const auto length = number<uint32_t>(4);
  if (length < 28 || length % 4 != 0)
    return fail("the header of a section makes no sense: " + std::to_string(length) +
                " bytes long");
  const uint64_t start = position_ - 12;
  if (!take(4)) return truncated("header of a section", position_ - start, length);
  if (number<uint16_t>(12) != 1)
    return fail("version " + std::to_string(number<uint16_t>(12)) + " of pcapng is not known");
  if (!skip(length - 16)) return truncated("header of a section", position_ - start, length);
  interfaces_.clear();
  return true;
}

bool CaptureReader::read_interface() {
  if (buffer_.size() < 16) return false;
  Interface made;
  made.link_type = link_type_of(number<uint16_t>(8));
  made.snap_length = number<uint32_t>(12);
  for (std::size_t at = 16; at + 4 <= buffer_.size();) {
    const auto code = number<uint16_t>(at);
    const std::size_t size = number<uint16_t>(at + 2);
    at += 4;
    if (code == 0) break;
    if (at + size > buffer_.size()) return false;
    if (code == kOptionResolution && size >= 1) made.resolution = buffer_[at];
    if (code == kOptionOffset && size >= 8) made.offset = number<int64_t>(at);
    at += (size + 3) / 4 * 4;
  }
  interfaces_.push_back(made);
  if (!std::exchange(has_link_type_, true)) link_type_ = made.link_type;
  return true;
}

bool CaptureReader::read_enhanced(Record& record) {
  return buffer_.size() >= 28 &&
         fill(record, number<uint32_t>(8),
              uint64_t{number<uint32_t>(12)} << 32 | number<uint32_t>(16), 20);
}

bool CaptureReader::read_obsolete(Record& record) {
  return buffer_.size() >= 28 &&
         fill(record, number<uint16_t>(8),
              uint64_t{number<uint32_t>(12)} << 32 | number<uint32_t>(16), 20);
}

bool CaptureReader::read_simple(Record& record) {
  if (buffer_.size() < 12) return false;
  if (interfaces_.empty()) return fail(next_name() + " makes no sense: there is no interface");
  const Interface& interface = interfaces_.front();
  record.length = number<uint32_t>(8);
  const uint32_t captured =
      interface.snap_length != 0 ? std::min(record.length, interface.snap_length) : record.length;
  if (captured > buffer_.size() - 12) return false;
  record.time = 0;
  record.interface = 0;
  record.link_type = interface.link_type;
  record.bytes = std::span<const uint8_t>(buffer_).subspan(12, captured);
  return true;
}

// Of the captured length at `at`, behind which the length and the bytes are.
bool CaptureReader::fill(Record& record, uint32_t interface, uint64_t time, std::size_t at) {
  if (interface >= interfaces_.size())
    return fail(next_name() + " makes no sense: there is no interface " +
                std::to_string(interface));
  const auto captured = number<uint32_t>(at);
  if (captured > kMostCaptured || captured > buffer_.size() - (at + 8)) return false;
  record.time = nanoseconds(time, interfaces_[interface]);
  record.length = number<uint32_t>(at + 4);
  record.interface = interface;
  record.link_type = interfaces_[interface].link_type;
  record.bytes = std::span<const uint8_t>(buffer_).subspan(at + 8, captured);
  return true;
}

// 0 when it is before the epoch or after the year 2262, which only a broken file says.
int64_t CaptureReader::nanoseconds(uint64_t time, const Interface& interface) {
  __extension__ using Wide = unsigned __int128;
  const unsigned power = interface.resolution & 0x7fU;
  Wide result = time;
  if ((interface.resolution & 0x80U) != 0) {
    result = power < 94 ? result * 1'000'000'000 >> power : 0;
  } else if (power <= 9) {
    for (unsigned i = power; i < 9; ++i) result *= 10;
  } else {
    for (unsigned i = 9; i < power && result != 0; ++i) result /= 10;
  }
  int64_t sum = 0;
  if (result > INT64_MAX || __builtin_mul_overflow(interface.offset, 1'000'000'000, &sum) ||
      __builtin_add_overflow(sum, static_cast<int64_t>(result), &sum))
    return 0;
  return std::max<int64_t>(sum, 0);
}

}  // namespace headroom
