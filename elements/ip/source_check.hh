// Source addresses that no packet may have: the arguments that say which, and the check.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/click/arg_types.hh"
#include "headroom/click/arguments.hh"
#include "headroom/click/named_types.hh"
#include "headroom/graph/element.hh"
#include "headroom/net/ip.hh"

namespace headroom {

struct IpAddressList {
  std::vector<IPAddress> addresses;
};
struct IpInterfaceList {
  std::vector<IPPrefix> interfaces;
};

namespace click {

template <>
struct ArgType<IpAddressList> {
  static constexpr std::string_view name = "list of IP addresses";
  static bool parse(std::string_view text, IpAddressList& value, std::string& error,
                    const NameScope& names = {}) {
    std::vector<IPAddress> addresses;
    for (const std::string& word : split_words(unquote(text)))
      if (!parse_argument(word, addresses.emplace_back(), error, names)) {
        error = "'" + word + "' is not an IP address";
        return false;
      }
    value.addresses = std::move(addresses);
    return true;
  }
  static std::string unparse(const IpAddressList& value) {
    std::string text;
    for (const IPAddress address : value.addresses)
      text += (text.empty() ? "" : " ") + address.to_string();
    return text;
  }
};

template <>
struct ArgType<IpInterfaceList> {
  static constexpr std::string_view name = "list of IP address prefixes";
  static bool parse(std::string_view text, IpInterfaceList& value, std::string& error,
                    const NameScope& names = {}) {
    std::vector<IPPrefix> interfaces;
    for (const std::string& word : split_words(unquote(text)))
      if (!parse_argument(word, interfaces.emplace_back(), error, names)) {
        error = "'" + word + "' is not an IP address with a prefix length";
        return false;
      }
    value.interfaces = std::move(interfaces);
    return true;
  }
  static std::string unparse(const IpInterfaceList& value) {
    std::string text;
    for (const IPPrefix& prefix : value.interfaces)
      text += (text.empty() ? "" : " ") + prefix.to_string();
    return text;
  }
};

}  // namespace click

// A member of the element: its arguments that say which sources are bad, and the check.
class SourceCheck {
 public:
  explicit SourceCheck(Element& owner) : owner_(owner) {}

  // Once the arguments are read.
  void configure() {
    add_bad(*bad_sources_);
    good_destinations_.insert(good_destinations_.end(), good_destination_arg_->addresses.begin(),
                              good_destination_arg_->addresses.end());
    for (const IPPrefix& interface : interfaces_->interfaces) {
      good_destinations_.push_back(interface.address);
      // A network of one or two addresses has no broadcast address (RFC 3021).
      if (interface.length < 31) bad_.push_back(interface.last());
    }
  }
  // Click's old form of BADSRC, to which the addresses that are never a source belong.
  void add_old_form(const IpAddressList& list) {
    add_bad(list);
    bad_.push_back(IPAddress());
    bad_.push_back(IPAddress::broadcast());
  }

  bool any() const { return !bad_.empty(); }
  bool is_bad(const IpHeader& ip) const {
    return !bad_.empty() && std::find(bad_.begin(), bad_.end(), ip.source) != bad_.end() &&
           std::find(good_destinations_.begin(), good_destinations_.end(), ip.destination) ==
               good_destinations_.end();
  }

 private:
  void add_bad(const IpAddressList& list) {
    bad_.insert(bad_.end(), list.addresses.begin(), list.addresses.end());
  }

  Element& owner_;
  Arg<IpAddressList> bad_sources_{
      owner_,
      "BADSRC",
      IpAddressList{},
      {.doc = "Source addresses that are bad, with blanks between them."}};
  Arg<IpAddressList> good_destination_arg_{
      owner_,
      "GOODDST",
      IpAddressList{},
      {.doc = "Destination addresses for which any source is good, with blanks between them."}};
  Arg<IpInterfaceList> interfaces_{
      owner_,
      "INTERFACES",
      IpInterfaceList{},
      {.doc = "This router's addresses with prefix lengths, with blanks between them. Adds each "
              "address to GOODDST, and the broadcast address of each network to BADSRC."}};

  std::vector<IPAddress> bad_;
  std::vector<IPAddress> good_destinations_;
};

}  // namespace headroom
