#include "from_port.hh"

namespace headroom {

class FromDPDKDevice final : public FromPort {
 public:
  static constexpr ElementSpec spec{
      .name = "FromDPDKDevice",
      .ports = "0/1",
      .processing = "h/h",
      .doc =
          "FromPort by FastClick's name: receives packets from a port of the system "
          "configuration, which may be given by its number there. Queues, descriptors and "
          "cores are the system configuration's.",
      .phase = Phase::devices};

  // What FastClick's has besides; what is said of the port is in the system configuration.
  using Ignored = Arg<click::RawText>;
  Ignored queue{*this, "QUEUE", click::RawText{}, {.doc = kIgnored, .positional = true}};
  Ignored queues{*this, "N_QUEUES", click::RawText{}, {.doc = kIgnored, .positional = true}};
  Ignored promisc{*this, "PROMISC", click::RawText{}, {.doc = "Ignored: see ports.*.promiscuous."}};
  Ignored descriptors{
      *this, "NDESC", click::RawText{}, {.doc = "Ignored: see ports.*.rx_descriptors."}};
  Ignored mtu{*this, "MTU", click::RawText{}, {.doc = "Ignored: see ports.*.mtu."}};
  Ignored least_queues{*this, "MINQUEUES", click::RawText{}, {.doc = kIgnored}};
  Ignored most_queues{*this, "MAXQUEUES", click::RawText{}, {.doc = kIgnored}};
  Ignored most_threads{*this, "MAXTHREADS", click::RawText{}, {.doc = kIgnored}};
  Ignored thread_offset{*this, "THREADOFFSET", click::RawText{}, {.doc = kIgnored}};
  Ignored numa{*this, "NUMA", click::RawText{}, {.doc = kIgnored}};
  Ignored aggregate{*this, "RSS_AGGREGATE", click::RawText{}, {.doc = kIgnored}};
  Ignored verbose{*this, "VERBOSE", click::RawText{}, {.doc = kIgnored}};

 private:
  static constexpr std::string_view kIgnored = "Ignored: see workers.";
};

HEADROOM_ELEMENT(FromDPDKDevice);

}  // namespace headroom
