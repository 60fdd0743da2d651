// What can be read of a port by the elements that receive from it or transmit on it, under
// FastClick's names. The port is one, however many workers share it, so replicas are not summed.
#pragma once

#include <functional>
#include <string>

#include "headroom/graph/element.hh"
#include "headroom/runtime/device.hh"

namespace headroom {

class PortHandlers {
 public:
  PortHandlers(Element& owner, Device* const& device) : owner_(owner), device_(device) {}

 private:
  // Nothing to say before the port is open.
  std::function<std::string()> of_device(std::string (*say)(const Device&)) {
    return [this, say] { return device_ == nullptr ? std::string() : say(*device_); };
  }
  static std::string text(uint64_t number) { return std::to_string(number); }

  Element& owner_;
  Device* const& device_;

  ReadHandler count_{owner_, "hw_count", "Packets that the port received, by its own count.",
                     of_device([](const Device& d) { return text(d.stats().received); })};
  ReadHandler bytes_{owner_, "hw_bytes", "Bytes that the port received, by its own count.",
                     of_device([](const Device& d) { return text(d.stats().received_bytes); })};
  ReadHandler dropped_{owner_, "hw_dropped", "Packets that the port had no room for.",
                       of_device([](const Device& d) { return text(d.stats().missed); })};
  ReadHandler no_buffer_{owner_, "hw_no_buffer", "Packets lost because the pool was empty.",
                         of_device([](const Device& d) { return text(d.stats().no_buffer); })};
  ReadHandler errors_{owner_, "hw_errors", "Packets that the port received in error.",
                      of_device([](const Device& d) { return text(d.stats().rx_errors); })};
  ReadHandler xstats_{owner_, "xstats", "All counters of the driver, a name and a number a line.",
                      of_device([](const Device& d) { return d.extended_stats(); })};
  ReadHandler carrier_{owner_, "carrier", "Whether the link is up: 1 or 0.",
                       of_device([](const Device& d) { return text(d.link().up ? 1 : 0); })};
  ReadHandler changes_{owner_, "link_changes", "How often the link went up or down while it ran.",
                       of_device([](const Device& d) { return text(d.link_changes()); })};
  ReadHandler duplex_{owner_, "duplex", "Whether the link is full duplex: 1, 0, or unknown.",
                      of_device([](const Device& d) {
                        const LinkState link = d.link();
                        return link.up ? text(link.full_duplex ? 1 : 0) : std::string("unknown");
                      })};
  ReadHandler speed_{owner_, "speed", "The link's megabits a second, or unknown.",
                     of_device([](const Device& d) {
                       const LinkState link = d.link();
                       return link.speed == 0 ? std::string("unknown") : text(link.speed);
                     })};
  ReadHandler driver_{owner_, "driver", "DPDK's driver of the port.",
                      of_device([](const Device& d) { return std::string(d.driver()); })};
  ReadHandler mac_{owner_, "mac", "The port's Ethernet address.",
                   of_device([](const Device& d) { return d.address().to_string(); })};
  ReadHandler mtu_{owner_, "mtu", "Longest packet, without its Ethernet header.",
                   of_device([](const Device& d) { return text(d.mtu()); })};
};

}  // namespace headroom
