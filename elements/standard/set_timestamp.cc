#include "headroom/graph/element.hh"

namespace headroom {

class SetTimestamp final : public BatchElement<SetTimestamp> {
 public:
  static constexpr ElementSpec spec{
      .name = "SetTimestamp",
      .doc =
          "Sets packets' timestamp annotation: to TIMESTAMP, or to the time at which they pass."};

  Arg<click::Duration> timestamp{
      *this,
      "TIMESTAMP",
      click::Duration{},
      {.doc = "What to set it to, since the epoch. By default the present time.",
       .positional = true}};
  Arg<bool> first{
      *this, "FIRST", false, {.doc = "Whether the first timestamp annotation is set instead."}};
  Arg<bool> delta{*this,
                  "DELTA",
                  false,
                  {.doc = "Whether the timestamp is set to the difference between it and the first "
                          "timestamp annotation."}};

  bool configure(SetupContext& context) override {
    return !*delta || (!*first && !timestamp.given()) ||
           context.error("DELTA goes with neither TIMESTAMP nor FIRST");
  }

  void process(PacketBatch& batch) {
    if (*delta) {
      for (uint32_t i = 0; i < batch.size(); ++i) {
        const auto begin = batch[i].anno_at<int64_t>(anno::kFirstTimestamp.offset);
        batch[i].set_timestamp_anno(batch[i].timestamp_anno() - begin);
      }
      return;
    }
    const int64_t time = timestamp.given() ? timestamp->nanoseconds : now();
    for (uint32_t i = 0; i < batch.size(); ++i) {
      if (*first)
        batch[i].set_anno_at<int64_t>(anno::kFirstTimestamp.offset, time);
      else
        batch[i].set_timestamp_anno(time);
    }
  }
};

HEADROOM_ELEMENT(SetTimestamp);

}  // namespace headroom
