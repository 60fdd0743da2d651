// The keys of system.yaml, as data.
//
// Used by the reader and by whoever shows the keys to a person. A new key is a member of
// SystemConfig and a line of the table in system_schema.cc; checks, suggestions and the reference
// follow.
//
//   for (const auto& entry : system_schema::table()) std::cout << entry.key.path << "\n";
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "headroom/runtime/system_config.hh"

namespace headroom::system_schema {

// One key of system.yaml.
struct Key {
  enum class Type : uint8_t { integer, boolean, text, choice, integers, texts };

  std::string_view path;  // "workers.io_batch_size"; a port's name is a star: "ports.*.mtu"
  Type type;
  uint32_t min = 0;  // of an integer, or of every integer of a list
  uint32_t max = 0;
  std::string_view unit = {};     // "bytes", or empty
  std::string_view choices = {};  // "poll sleep adaptive"
  std::string_view zero = {};  // what 0, or leaving the key out, stands for; empty: nothing special
  std::string_view doc;
  std::string_view example = "[--log-level=8]";  // of a list of texts
};

// Where the value of a key goes.
using Target =
    std::variant<uint32_t*, bool*, std::string*, SystemConfig::Hugepages*, SystemConfig::Idle*,
                 SystemConfig::Shape*, SystemConfig::Attach*, SystemConfig::Traffic::Kind*,
                 std::vector<uint32_t>*, std::vector<std::string>*>;

// What is wrong with a text.
struct Problem {
  std::string message;  // continues "'ports.in.vdev' "
  std::string hint;
};

struct Entry {
  Key key;
  Target (*target)(SystemConfig&, SystemConfig::Port&);
  std::optional<Problem> (*check)(std::string&) = nullptr;
};

using Names = std::vector<std::string_view>;

std::span<const Entry> table();
// Whether a key of a port, such as "ports.*.vdev", says what device it is.
bool names_device(std::string_view path);
// The entry of a path, or null.
const Entry* find_entry(std::string_view path);
// The names right below "workers" or "ports.*"; below "", the sections. A name that has names below
// it is there once.
Names keys_below(std::string_view path);
// What flows can be told apart by: the words of ports.*.rss.
Names rss_fields();
// "an integer from 1 to 256"
std::string expected(const Key& key);
// "net_pcap0" of "net_pcap0,rx_pcap=in.pcap".
std::string_view device_name(std::string_view vdev);

Names split(std::string_view text, char separator);
// "poll, sleep or adaptive"
std::string join(const Names& names, std::string_view last = " or ");

}  // namespace headroom::system_schema
