// A capture file. Reading it ends, with records that stay within what was read and their limits,
// and a broken file is said to be one.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "headroom/net/capture_reader.hh"

namespace {

void check(bool good) {
  if (!good) std::abort();
}

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using headroom::CaptureReader;
  if (size == 0) return 0;
  const std::unique_ptr<std::FILE, Close> file(fmemopen(const_cast<uint8_t*>(data), size, "rb"));
  check(file != nullptr);
  CaptureReader reader;
  if (!reader.open(file.get())) {
    check(!reader.message().empty());
    return 0;
  }
  CaptureReader::Record record;
  CaptureReader::Status status;
  unsigned sum = 0;
  uint64_t position = reader.position();
  while ((status = reader.next(record)) == CaptureReader::Status::packet) {
    check(record.time >= 0 && record.bytes.size() < size);
    for (const uint8_t byte : record.bytes) sum += byte;
    check(reader.position() >= position && reader.position() <= size);
    position = reader.position();
  }
  check((status == CaptureReader::Status::broken) == !reader.message().empty());
  return sum == 0xffffffff ? 1 : 0;
}
