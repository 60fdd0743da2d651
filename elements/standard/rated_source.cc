#include <vector>

#include "paced_source.hh"
#include "source_bytes.hh"

namespace headroom {

class RatedSource final : public PacedSource<RatedSource> {
 public:
  static constexpr ElementSpec spec{
      .name = "RatedSource",
      .ports = "0/1",
      .doc =
          "Makes packets with the same bytes at a rate. When it falls behind, it catches up with "
          "at most a hundredth of a second's packets at once.",
      .once = true};

  Arg<std::string> data{
      *this, "DATA", kSourceData, {.doc = "The packets' bytes.", .positional = true, .live = true}};
  Arg<uint32_t> rate{
      *this,
      "RATE",
      10,
      {.doc = "Packets a second.", .unit = "packets/s", .positional = true, .live = true}};
  Arg<int64_t> limit{*this,
                     "LIMIT",
                     -1,
                     {.doc = "Packets in all; negative is without end.",
                      .unit = "packets",
                      .positional = true,
                      .live = true}};
  Arg<bool> active{*this,
                   "ACTIVE",
                   true,
                   {.doc = "Whether it makes packets.", .positional = true, .live = true}};
  Arg<int64_t> length{
      *this,
      "LENGTH",
      -1,
      {.doc = "The packets' length: DATA is repeated or cut; negative is that of DATA.",
       .unit = "bytes",
       .live = true}};
  Arg<bool> stop{*this, "STOP", false, {.doc = "Whether the router stops at the end of LIMIT."}};

  bool reconfigure(std::string& error) override {
    return make_source_bytes(*data, *length, bytes_, error) && PacedSource::reconfigure(error);
  }

  bool configure(SetupContext& context) override {
    std::string reason;
    return make_source_bytes(*data, *length, bytes_, reason) || context.error(reason);
  }

  static bool as_fast_as_possible() { return false; }
  Packet* next_packet() { return Packet::make(pool(), bytes_); }

 private:
  std::vector<uint8_t> bytes_;
};

HEADROOM_ELEMENT(RatedSource);

}  // namespace headroom
