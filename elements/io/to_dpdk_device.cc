#include "to_port.hh"

namespace headroom {

class ToDPDKDevice final : public ToPort {
 public:
  static constexpr ElementSpec spec{
      .name = "ToDPDKDevice",
      .ports = "1/0",
      .doc =
          "ToPort by FastClick's name: transmits packets on a port of the system configuration, "
          "which may be given by its number there. Queues, descriptors and cores are the system "
          "configuration's; a full queue is never waited for.",
      .phase = Phase::devices};

  // What FastClick's has besides; what is said of the port is in the system configuration.
  using Ignored = Arg<click::RawText>;
  Ignored queue{*this, "QUEUE", click::RawText{}, {.doc = kIgnored, .positional = true}};
  Ignored queues{*this, "N_QUEUES", click::RawText{}, {.doc = kIgnored, .positional = true}};
  Ignored descriptors{
      *this, "NDESC", click::RawText{}, {.doc = "Ignored: see ports.*.tx_descriptors."}};
  Ignored internal_queue{
      *this, "IQUEUE", click::RawText{}, {.doc = "Ignored: batches are transmitted as they come."}};
  Ignored blocking{
      *this, "BLOCKING", click::RawText{}, {.doc = "Ignored: see the drop tx-queue-full."}};
  Ignored timeout{
      *this, "TIMEOUT", click::RawText{}, {.doc = "Ignored: no packet waits for others."}};
  Ignored most_queues{*this, "MAXQUEUES", click::RawText{}, {.doc = kIgnored}};
  Ignored most_threads{*this, "MAXTHREADS", click::RawText{}, {.doc = kIgnored}};
  Ignored verbose{*this, "VERBOSE", click::RawText{}, {.doc = kIgnored}};

 private:
  static constexpr std::string_view kIgnored = "Ignored: see workers.";
};

HEADROOM_ELEMENT(ToDPDKDevice);

}  // namespace headroom
