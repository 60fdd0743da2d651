#include "headroom/summary/options_text.hh"

#include <algorithm>
#include <functional>
#include <optional>

#include "headroom/base/text.hh"
#include "headroom/net/addresses.hh"
#include "headroom/net/byte_order.hh"
#include "headroom/net/ip.hh"
#include "headroom/summary/words.hh"

namespace headroom::summary {
namespace {

using Bytes = std::span<const uint8_t>;

constexpr uint8_t kTcpMss = 2;
constexpr uint8_t kTcpWindowScale = 3;
constexpr uint8_t kTcpSackPermitted = 4;
constexpr uint8_t kTcpSack = 5;
constexpr uint8_t kTcpTimestamp = 8;

constexpr uint32_t kNonstandardTime = 0x80000000;

std::string address_at(const uint8_t* at) {
  return IPAddress::from_host_order(load_big<uint32_t>(at)).to_string();
}
bool all_zero(Bytes bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

// "98", "99=0:5:10".
void write_plain(Bytes option, std::string& text) {
  text += std::to_string(option[0]);
  for (std::size_t i = 2; i < option.size(); ++i)
    text += (i == 2 ? "=" : ":") + std::to_string(option[i]);
}

// --- IPv4, to text. An option comes with its type and length; false when it is malformed.

// Where the pointer of an option points, as an entry's number, when there are `count` of them. The
// pointer counts from 1 and from the option's start.
std::optional<std::size_t> pointed(Bytes option, std::size_t first, std::size_t size) {
  if (option.size() < first || (option.size() - first) % size != 0) return std::nullopt;
  const std::size_t pointer = option[2];
  if (pointer < first + 1 || (pointer - first - 1) % size != 0 || pointer > option.size() + 1)
    return std::nullopt;
  return (pointer - first - 1) / size;
}

bool write_route(Bytes option, bool source_route, std::string_view name, std::string& text) {
  const auto used = pointed(option, 3, 4);
  if (!used) return false;
  const std::size_t count = (option.size() - 3) / 4;
  text += std::string(name) + '{';
  // Where a source route goes on matters; behind the pointer of a record there is only room.
  const bool shows_rest = source_route && !all_zero(option.subspan(3 + *used * 4));
  for (std::size_t i = 0; i < (shows_rest ? count : *used); ++i) {
    if (shows_rest && i == *used)
      text += '^';
    else if (i > 0)
      text += ',';
    text += address_at(&option[3 + i * 4]);
  }
  text += '}';
  if (!shows_rest && count > *used) text += '+' + std::to_string(count - *used);
  return true;
}

std::string time_text(uint32_t time) {
  const bool nonstandard = (time & kNonstandardTime) != 0;
  return (nonstandard ? "!" : "") + std::to_string(time & ~kNonstandardTime);
}

bool write_timestamps(Bytes option, std::string& text) {
  if (option.size() < 4) return false;
  const unsigned flag = option[3] & 15U;
  if (flag != 0 && flag != 1 && flag != 3) return false;
  const std::size_t size = flag == 0 ? 4 : 8;
  const auto used = pointed(option, 4, size);
  if (!used) return false;
  const std::size_t count = (option.size() - 4) / size;
  text += flag == 0 ? "ts{" : flag == 1 ? "ts.ip{" : "ts.preip{";
  for (std::size_t i = 0; i < (flag == 3 ? count : *used); ++i) {
    const uint8_t* entry = &option[4 + i * size];
    if (flag == 3 && i == *used)
      text += '^';
    else if (i > 0)
      text += ',';
    if (flag != 0) text += address_at(entry);
    const uint32_t time = load_big<uint32_t>(entry + size - 4);
    if (flag != 0 && (i < *used || time != 0)) text += '=';
    if (i < *used || time != 0) text += time_text(time);
  }
  text += '}';
  if (flag != 3 && count > *used) text += '+' + std::to_string(count - *used);
  if (option[3] >> 4 != 0) text += "++" + std::to_string(option[3] >> 4);
  return true;
}

bool write_ip_option(Bytes option, std::string& text) {
  switch (option[0]) {
    case kIpOptionRecordRoute:
      return write_route(option, false, "rr", text);
    case kIpOptionLooseSourceRoute:
      return write_route(option, true, "lsrr", text);
    case kIpOptionStrictSourceRoute:
      return write_route(option, true, "ssrr", text);
    case kIpOptionTimestamp:
      return write_timestamps(option, text);
    default:
      write_plain(option, text);
      return true;
  }
}

bool write_tcp_option(Bytes option, TcpOptions which, std::string& text) {
  const uint8_t type = option[0];
  const bool is_sack = type == kTcpSack || type == kTcpSackPermitted;
  if ((which == TcpOptions::sack && !is_sack) ||
      (which == TcpOptions::without_timestamp && type == kTcpTimestamp))
    return true;
  const auto has = [&](std::size_t size) { return option.size() == size; };
  const auto word = [&](std::size_t at) {
    return std::to_string(load_big<uint32_t>(option.data() + at));
  };
  if (type == kTcpMss && has(4)) {
    text += "mss" + std::to_string(load_big<uint16_t>(option.data() + 2));
  } else if (type == kTcpWindowScale && has(3)) {
    text += "wscale" + std::to_string(option[2]);
  } else if (type == kTcpSackPermitted && has(2)) {
    text += "sackok";
  } else if (type == kTcpTimestamp && has(10)) {
    text += "ts" + word(2) + ':' + word(6);
  } else if (type == kTcpSack && option.size() > 2 && (option.size() - 2) % 8 == 0) {
    for (std::size_t at = 2; at < option.size(); at += 8)
      text += (at == 2 ? "sack" : ";sack") + word(at) + '-' + word(at + 4);
  } else if (type >= kTcpMss && type != 6 && type != 7 && type <= kTcpTimestamp) {
    return false;  // known, and of a wrong length
  } else {
    write_plain(option, text);
  }
  return true;
}

// All options with semicolons between them, by `write_one`.
void write_all(Bytes options, std::string& text,
               const std::function<bool(Bytes, std::string&)>& write_one) {
  std::string all;
  for (std::size_t at = 0; at < options.size() && options[at] != 0;) {
    if (options[at] == 1) {
      ++at;
      continue;
    }
    const std::size_t length = at + 1 < options.size() ? options[at + 1] : 0;
    std::string one;
    if (length < 2 || at + length > options.size() ||
        !write_one(options.subspan(at, length), one)) {
      text += '?';
      return;
    }
    if (!one.empty()) all += (all.empty() ? "" : ";") + one;
    at += length;
  }
  text += all.empty() ? "." : all;
}

// --- from text

// Takes the text of one option apart from its front.
struct Scanner {
  std::string_view text;
  std::string& error;

  bool take(std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
  }
  bool number(uint64_t most, uint64_t& value) {
    const auto taken = take_number(text, most, error);
    value = taken.value_or(0);
    return taken.has_value();
  }
  template <class T>
  bool number(uint64_t most, std::vector<uint8_t>& to) {
    uint64_t value = 0;
    if (!number(most, value)) return false;
    append(to, static_cast<T>(value));
    return true;
  }
  bool address(std::vector<uint8_t>& to) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto parsed = IPAddress::parse(text.substr(0, end));
    if (!parsed) return fail("expected an IP address");
    text.remove_prefix(end);
    append(to, parsed->host_order());
    return true;
  }
  bool fail(std::string_view why) {
    error = why;
    return false;
  }
  template <class T>
  static void append(std::vector<uint8_t>& to, T value) {
    to.resize(to.size() + sizeof value);
    store_big(to.data() + to.size() - sizeof value, value);
  }
};

// "+5": room for as many entries of `size` bytes.
bool read_room(Scanner& scan, std::size_t size, std::vector<uint8_t>& option) {
  if (scan.text.starts_with("++") || !scan.take("+")) return true;
  uint64_t count = 0;
  if (!scan.number(kMaxOptions / 4, count)) return false;
  option.resize(option.size() + count * size);
  return true;
}

// Writes the length and the pointer, which is behind `used` bytes or else where the entries end.
bool finish(std::vector<uint8_t>& option, std::size_t used) {
  option[1] = static_cast<uint8_t>(std::min<std::size_t>(option.size(), 255));
  option[2] = static_cast<uint8_t>(std::min<std::size_t>(used + 1, 255));
  return true;
}

bool read_route(Scanner& scan, uint8_t type, std::vector<uint8_t>& option) {
  option = {type, 0, 0};
  std::optional<std::size_t> used;
  while (!scan.take("}")) {
    if (scan.take("^")) {
      if (used) return scan.fail("there is more than one ^");
      used = option.size();
      continue;
    }
    if (option.size() > 3 && !scan.take(",") && !scan.take(":") && used != option.size())
      return scan.fail("expected , or }");
    if (!scan.address(option)) return false;
  }
  if (!used) used = option.size();
  return read_room(scan, 4, option) && finish(option, *used);
}

bool read_timestamps(Scanner& scan, uint8_t flag, std::vector<uint8_t>& option) {
  option = {kIpOptionTimestamp, 0, 0, flag};
  const std::size_t size = flag == 0 ? 4 : 8;
  std::optional<std::size_t> used;
  while (!scan.take("}")) {
    if (scan.take("^")) {
      if (used) return scan.fail("there is more than one ^");
      used = option.size();
      continue;
    }
    if (option.size() > 4 && !scan.take(",") && used != option.size())
      return scan.fail("expected , or }");
    if (flag != 0 && !scan.address(option)) return false;
    if (flag == 0 || scan.take("=")) {
      const uint32_t mark = scan.take("!") ? kNonstandardTime : 0;
      uint64_t time = 0;
      if (!scan.number(~kNonstandardTime, time)) return false;
      Scanner::append(option, static_cast<uint32_t>(time) | mark);
    } else {
      Scanner::append(option, uint32_t{0});
    }
  }
  if (!used) used = option.size();
  if (!read_room(scan, size, option)) return false;
  if (scan.take("++")) {
    uint64_t overflow = 0;
    if (!scan.number(15, overflow)) return false;
    option[3] = static_cast<uint8_t>(option[3] | overflow << 4);
  }
  return finish(option, *used);
}

bool read_plain(Scanner& scan, std::vector<uint8_t>& option) {
  uint64_t type = 0;
  if (scan.text.empty() || scan.text[0] < '0' || scan.text[0] > '9')
    return scan.fail("there is no option '" + std::string(scan.text) + "'");
  if (!scan.number(255, type)) return false;
  option = {static_cast<uint8_t>(type)};
  if (type <= 1) return true;
  option.push_back(2);
  if (scan.take("=")) {
    do {
      if (!scan.number<uint8_t>(255, option)) return false;
    } while (scan.take(":"));
  }
  option[1] = static_cast<uint8_t>(std::min<std::size_t>(option.size(), 255));
  return true;
}

bool read_ip_option(Scanner& scan, std::vector<uint8_t>& option) {
  if (scan.take("rr{")) return read_route(scan, kIpOptionRecordRoute, option);
  if (scan.take("lsrr{")) return read_route(scan, kIpOptionLooseSourceRoute, option);
  if (scan.take("ssrr{")) return read_route(scan, kIpOptionStrictSourceRoute, option);
  if (scan.take("ts{")) return read_timestamps(scan, 0, option);
  if (scan.take("ts.ip{")) return read_timestamps(scan, 1, option);
  if (scan.take("ts.preip{")) return read_timestamps(scan, 3, option);
  return read_plain(scan, option);
}

bool read_tcp_option(Scanner& scan, std::vector<uint8_t>& option) {
  if (scan.take("mss")) {
    option = {kTcpMss, 4};
    return scan.number<uint16_t>(UINT16_MAX, option);
  }
  if (scan.take("wscale")) {
    option = {kTcpWindowScale, 3};
    return scan.number<uint8_t>(UINT8_MAX, option);
  }
  if (scan.take("sackok")) {
    option = {kTcpSackPermitted, 2};
    return true;
  }
  if (scan.take("sack")) {
    option = {kTcpSack, 10};
    if (!scan.number<uint32_t>(UINT32_MAX, option)) return false;
    if (!scan.take("-") && !scan.take(":")) return scan.fail("expected -");
    return scan.number<uint32_t>(UINT32_MAX, option);
  }
  if (scan.take("ts")) {
    option = {kTcpTimestamp, 10};
    if (!scan.number<uint32_t>(UINT32_MAX, option)) return false;
    if (!scan.take(":")) return scan.fail("expected :");
    return scan.number<uint32_t>(UINT32_MAX, option);
  }
  return read_plain(scan, option);
}

// Where the text of the first option ends: at a semicolon, or a comma outside braces, which old
// dumps have.
std::size_t end_of_option(std::string_view text) {
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') inside = true;
    if (text[i] == '}') inside = false;
    if (text[i] == ';' || (text[i] == ',' && !inside)) return i;
  }
  return text.size();
}

bool read_all(std::string_view text, std::vector<uint8_t>& options, std::string& error,
              const std::function<bool(Scanner&, std::vector<uint8_t>&)>& read_one) {
  options.clear();
  // What dumps say of options that they could not tell is not told.
  if (text == "." || text == "?") return true;
  std::size_t sack = 0;  // where the option begins to which another SACK block belongs
  while (true) {
    const std::size_t end = end_of_option(text);
    Scanner scan{text.substr(0, end), error};
    std::vector<uint8_t> option;
    if (scan.take("nop"))
      option = {1};
    else if (scan.take("eol"))
      option = {0};
    else if (!read_one(scan, option))
      return false;
    if (!scan.text.empty()) return scan.fail("'" + std::string(scan.text) + "' makes no sense");
    const bool is_block = text.starts_with("sack") && option.size() == 10;
    if (is_block && sack != options.size()) {
      options.insert(options.end(), option.begin() + 2, option.end());
      options[sack + 1] = static_cast<uint8_t>(options[sack + 1] + 8);
    } else {
      sack = is_block ? options.size() : options.size() + option.size();
      options.insert(options.end(), option.begin(), option.end());
    }
    if (options.size() > kMaxOptions) return scan.fail("these are more than 40 bytes of options");
    if (end == text.size()) return true;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

void write_ip_options(Bytes options, std::string& text) {
  write_all(options, text, write_ip_option);
}

void write_tcp_options(Bytes options, TcpOptions which, std::string& text) {
  write_all(options, text, [which](Bytes option, std::string& one) {
    return write_tcp_option(option, which, one);
  });
}

bool read_ip_options(std::string_view text, std::vector<uint8_t>& options, std::string& error) {
  return read_all(text, options, error, read_ip_option);
}
bool read_tcp_options(std::string_view text, std::vector<uint8_t>& options, std::string& error) {
  return read_all(text, options, error, read_tcp_option);
}

}  // namespace headroom::summary
