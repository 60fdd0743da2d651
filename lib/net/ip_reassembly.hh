// Putting the fragments of IPv4 datagrams together (RFC 791, 3.2; RFC 815).
//
// The bytes are copied as they come, so that fragments cannot use up a packet pool; a limit bounds
// them. Where fragments overlap, what came first stays: later ones fill holes only.
//
//   IpReassembler reassembler(256 * 1024);
//   auto result = reassembler.add(bytes_of_ip_packet, now, tag);
//   if (result.datagram) forward(result.datagram->bytes);
//   while (auto expired = reassembler.expire(now - timeout)) send_time_exceeded(expired->bytes);
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "headroom/net/addresses.hh"
#include "headroom/net/ip.hh"

namespace headroom {

class IpReassembler {
 public:
  // A datagram, or what there is of one.
  struct Datagram {
    std::vector<uint8_t> bytes;  // with its header; empty when the first fragment never came
    uint32_t fragments = 0;      // of which it was made
    std::vector<uint8_t> tag;    // what was given with the first fragment
  };
  enum class Status : uint8_t { added, completed, duplicate, bad };
  struct Result {
    Status status = Status::bad;
    std::optional<Datagram> datagram;  // when it is completed
  };

  explicit IpReassembler(std::size_t limit = 256 * 1024) : limit_(limit) {}
  void set_limit(std::size_t bytes) { limit_ = bytes; }

  // A fragment: `packet` has the whole IP header and ends with the fragment's last byte. The tag is
  // kept with the datagram if this is its first fragment. Times are of any unit, and do not go
  // back.
  Result add(std::span<const uint8_t> packet, int64_t now, std::span<const uint8_t> tag = {});
  // Gives up the oldest datagram that began before or at `began`.
  std::optional<Datagram> expire(int64_t began);
  // Gives up the oldest datagram when there is more than the limit.
  std::optional<Datagram> evict();

  // When the oldest datagram began.
  std::optional<int64_t> oldest() const;
  std::size_t datagrams() const { return partial_.size(); }
  std::size_t memory() const { return memory_; }
  // Fragments that wait in all datagrams.
  uint64_t fragments() const { return fragments_; }

 private:
  struct Key {
    uint64_t addresses;
    uint32_t id_and_protocol;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return mix_hash(key.addresses + mix_hash(key.id_and_protocol));
    }
  };
  struct Hole {
    uint32_t first;
    uint32_t end;
  };
  static constexpr uint32_t kUnknown = UINT32_MAX;

  struct Partial {
    Key key;
    int64_t began = 0;
    uint32_t fragments = 0;
    uint32_t end = kUnknown;  // of the data, once the last fragment came
    uint32_t highest = 0;     // end of the data so far
    std::vector<Hole> holes = {{0, kUnknown}};
    std::vector<uint8_t> header;  // of the first fragment
    std::vector<uint8_t> data;
    std::vector<uint8_t> tag;

    std::size_t memory() const {
      return sizeof *this + 64 + header.capacity() + data.capacity() + tag.capacity();
    }
  };
  using Partials = std::list<Partial>;  // the oldest first

  static bool fill(Partial& partial, uint32_t first, std::span<const uint8_t> data);
  Datagram take(Partials::iterator at, bool complete);

  std::size_t limit_;
  std::size_t memory_ = 0;
  uint64_t fragments_ = 0;
  Partials partial_;
  std::unordered_map<Key, Partials::iterator, KeyHash> index_;
};

}  // namespace headroom
