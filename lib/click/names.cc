#include "headroom/click/names.hh"

#include <netdb.h>

#include <utility>
#include <vector>

#include "headroom/click/arg_types.hh"
#include "headroom/click/arguments.hh"

namespace headroom::click {
namespace {

std::string_view path_of(std::string_view element) {
  const std::size_t slash = element.rfind('/');
  return slash == std::string_view::npos ? "" : element.substr(0, slash + 1);
}

struct BuiltinPort {
  std::string_view name;
  uint16_t number;
};
constexpr BuiltinPort kBuiltinPorts[] = {
    {"echo", 7},    {"discard", 9},     {"ftp-data", 20}, {"ftp", 21},    {"ssh", 22},
    {"telnet", 23}, {"smtp", 25},       {"domain", 53},   {"dns", 53},    {"bootps", 67},
    {"bootpc", 68}, {"tftp", 69},       {"finger", 79},   {"www", 80},    {"http", 80},
    {"pop3", 110},  {"sunrpc", 111},    {"auth", 113},    {"nntp", 119},  {"ntp", 123},
    {"snmp", 161},  {"snmp-trap", 162}, {"irc", 194},     {"imap3", 220}, {"https", 443},
    {"imaps", 993}, {"pop3s", 995}};

// The places are those of lib/packet/annotations.hh, which this room does not see.
struct BuiltinAnnotation {
  std::string_view name;
  AnnotationRange range;
};
constexpr BuiltinAnnotation kBuiltinAnnotations[] = {
    {"DST_IP", {0, 4}},           {"DST_IP6", {0, 16}},       {"ICMP_PARAMPROB", {16, 1}},
    {"PAINT", {17, 1}},           {"FIX_IP_SRC", {19, 1}},    {"VLAN_TCI", {20, 2}},
    {"AGGREGATE", {20, 4}},       {"EXTRA_PACKETS", {26, 2}}, {"EXTRA_LENGTH", {28, 4}},
    {"FIRST_TIMESTAMP", {32, 8}}, {"PACKET_NUMBER", {32, 4}}, {"IPSEC_SPI", {32, 4}},
    {"SEQUENCE_NUMBER", {36, 4}}, {"PERFCTR", {40, 8}}};

template <class T>
std::optional<T> parsed(std::string_view text) {
  T value{};
  std::string error;
  if (!ArgType<T>::parse(text, value, error)) return std::nullopt;
  return value;
}

void merge(NamedAddresses& into, const NamedAddresses& from) {
  const auto take = [](auto& a, const auto& b) {
    if (b) a = b;
  };
  take(into.ip, from.ip);
  take(into.prefix, from.prefix);
  take(into.ip6, from.ip6);
  take(into.prefix6, from.prefix6);
  take(into.ether, from.ether);
  take(into.gateway, from.gateway);
}

std::optional<NamedAddresses> parse_any_address(const std::string& word, const NameScope& scope) {
  NamedAddresses made;
  if (word.find('/') != std::string::npos) {
    if (const auto prefix = parsed<IPPrefix>(word)) {
      made.prefix = prefix;
      if (prefix->address != prefix->network()) made.ip = prefix->address;
      return made;
    }
    if (const auto prefix = parsed<IP6Prefix>(word)) {
      made.prefix6 = prefix;
      if (prefix->address != prefix->network()) made.ip6 = prefix->address;
      return made;
    }
    return std::nullopt;
  }
  made.ip = parsed<IPAddress>(word);
  if (!made.ip) made.ether = parsed<EtherAddress>(word);
  if (!made.ip && !made.ether) made.ip6 = parsed<IP6Address>(word);
  if (made.ip || made.ether || made.ip6) return made;
  return scope.addresses(word);
}

// The system need not be asked about everything that is no address.
bool may_be_device(std::string_view name) {
  return !name.empty() && name.size() < 16 && name.find_first_of("/ \t") == std::string_view::npos;
}

bool fail(std::string& error, std::string text) {
  error = std::move(text);
  return false;
}

}  // namespace

// --- tables ---

bool NameTables::add_addresses(std::string_view element, std::string_view text,
                               std::string& error) {
  const std::vector<std::string> words = split_words(text);
  if (words.empty()) return fail(error, "expected 'NAME [ADDRS]'");
  const NameScope scope(*this, element);
  NamedAddresses made;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto address = parse_any_address(words[i], scope);
    if (!address) return fail(error, "'" + words[i] + "' is no address");
    merge(made, *address);
  }
  if (words.size() > 1) merge(addresses_[std::string(path_of(element)) + words[0]], made);
  return true;
}

bool NameTables::add_ports(std::string_view element, std::string_view text, std::string& error) {
  constexpr const char* kForm = "expected 'NAME PORT[/PROTOCOL]'";
  const std::vector<std::string> words = split_words(text);
  if (words.size() < 2) return fail(error, kForm);
  Ports& ports = ports_[std::string(path_of(element)) + words[0]];
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t slash = words[i].find('/');
    const bool any = slash == std::string::npos;
    const std::string protocol = any ? "" : words[i].substr(slash + 1);
    const auto number = parsed<uint16_t>(words[i].substr(0, slash));
    const bool tcp = any || protocol == "tcp";
    const bool udp = any || protocol == "udp";
    if (!number || (!tcp && !udp)) return fail(error, kForm);
    if (tcp) ports.tcp = number;
    if (udp) ports.udp = number;
  }
  return true;
}

bool NameTables::add_annotation(std::string_view element, std::string_view text,
                                std::string& error) {
  const std::vector<std::string> words = split_words(text);
  const bool counted = words.size() == 2 || words.size() == 3;
  const auto offset = counted ? parsed<uint8_t>(words[1]) : std::nullopt;
  const auto size = words.size() == 3 ? parsed<uint8_t>(words[2]) : std::optional<uint8_t>(0);
  if (!offset || !size || *offset >= kAnnotationBytes || *offset + *size > kAnnotationBytes) {
    return fail(error, "expected 'NAME OFFSET [SIZE]', within " + std::to_string(kAnnotationBytes) +
                           " bytes");
  }
  annotations_[std::string(path_of(element)) + words[0]] = {*offset, *size};
  return true;
}

// --- scopes ---

NameScope::NameScope(const NameTables& tables, std::string_view element)
    : tables_(&tables), path_(path_of(element)) {}

template <class Table>
const typename Table::mapped_type* NameScope::find(const Table& table,
                                                   std::string_view name) const {
  if (table.empty()) return nullptr;
  std::string_view path = path_;
  for (;;) {
    const auto found = table.find(std::string(path) + std::string(name));
    if (found != table.end()) return &found->second;
    if (path.empty()) return nullptr;
    path = path_of(path.substr(0, path.size() - 1));
  }
}

std::optional<NamedAddresses> NameScope::addresses(std::string_view name) const {
  if (!tables_ || name.empty()) return std::nullopt;
  const std::size_t colon = name.rfind(':');
  const std::string_view suffix = colon == std::string_view::npos ? "" : name.substr(colon + 1);
  name = name.substr(0, colon);

  std::optional<NamedAddresses> all;
  if (const NamedAddresses* found = find(tables_->addresses_, name)) {
    all = *found;
  } else if (may_be_device(name)) {
    const std::string device(name);
    all = tables_->device ? tables_->device(device) : system_device(device);
  }
  if (!all || suffix.empty()) return all;

  NamedAddresses one;
  if (suffix == "ip") {
    one.ip = all->ip;
  } else if (suffix == "ipnet") {
    one.prefix = all->prefix;
  } else if (suffix == "ip6") {
    one.ip6 = all->ip6;
  } else if (suffix == "ip6net") {
    one.prefix6 = all->prefix6;
  } else if (suffix == "eth") {
    one.ether = all->ether;
  } else if (suffix == "bcast" && all->prefix) {
    one.ip = all->prefix->last();
  } else if (suffix == "gw" && all->gateway) {
    one.ip = all->gateway;
  } else if (suffix == "gw" && all->prefix && all->prefix->length < 31) {
    one.ip = IPAddress::from_host_order(all->prefix->network().host_order() + 1);
  } else {
    return std::nullopt;
  }
  return one;
}

std::optional<uint16_t> NameScope::port(std::string_view name, PortProtocol protocol) const {
  const bool tcp = protocol == PortProtocol::tcp;
  if (tables_) {
    if (const auto* found = find(tables_->ports_, name)) {
      if (tcp ? found->tcp : found->udp) return tcp ? found->tcp : found->udp;
    }
  }
  for (const BuiltinPort& builtin : kBuiltinPorts) {
    if (name == builtin.name) return builtin.number;
  }
  if (name.empty() || name.find('\0') != std::string_view::npos) return std::nullopt;
  // /etc/services. The entry is static; configurations are read by one thread.
  const servent* entry = getservbyname(std::string(name).c_str(), tcp ? "tcp" : "udp");
  if (!entry) return std::nullopt;
  return ntohs(static_cast<uint16_t>(entry->s_port));
}

std::string_view builtin_annotation(AnnotationRange range) {
  for (const BuiltinAnnotation& builtin : kBuiltinAnnotations) {
    if (range == builtin.range) return builtin.name;
  }
  return {};
}

std::optional<AnnotationRange> NameScope::annotation(std::string_view name) const {
  if (tables_) {
    if (const auto* found = find(tables_->annotations_, name)) return *found;
  }
  for (const BuiltinAnnotation& builtin : kBuiltinAnnotations) {
    if (name == builtin.name) return builtin.range;
  }
  return std::nullopt;
}

}  // namespace headroom::click
