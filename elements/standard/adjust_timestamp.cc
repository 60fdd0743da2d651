#include "headroom/graph/element.hh"

namespace headroom {

// A length of time that may be negative.
struct TimeShift {
  int64_t nanoseconds = 0;
};

namespace click {
template <>
struct ArgType<TimeShift> {
  static constexpr std::string_view name = "time, perhaps negative";
  static bool parse(std::string_view text, TimeShift& value, std::string& error) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    Duration magnitude;
    if (text.starts_with('-') || !ArgType<Duration>::parse(text, magnitude, error)) return false;
    value.nanoseconds = negative ? -magnitude.nanoseconds : magnitude.nanoseconds;
    return true;
  }
  static std::string unparse(const TimeShift& value) {
    return value.nanoseconds < 0 ? "-" + ArgType<Duration>::unparse({-value.nanoseconds})
                                 : ArgType<Duration>::unparse({value.nanoseconds});
  }
};
}  // namespace click

class AdjustTimestamp final : public PacketElement<AdjustTimestamp> {
 public:
  static constexpr ElementSpec spec{
      .name = "AdjustTimestamp",
      .doc = "Adds a time to packets' timestamp annotation. Packets without one stay without."};

  Arg<TimeShift> time{*this,
                      "TIME",
                      {.doc = "What is added; it may be negative.",
                       .positional = true,
                       .mandatory = true,
                       .live = true}};
  Arg<bool> first{*this,
                  "FIRST",
                  false,
                  {.doc = "Whether the first timestamp annotation is adjusted instead."}};
  Arg<bool> all{
      *this, "ALL", false, {.doc = "Whether a timestamp of zero is adjusted like any other."}};

  Verdict process(Packet& packet) {
    if (*first) {
      const auto before = packet.anno_at<int64_t>(anno::kFirstTimestamp.offset);
      packet.set_anno_at<int64_t>(anno::kFirstTimestamp.offset, adjusted(before));
    } else {
      packet.set_timestamp_anno(adjusted(packet.timestamp_anno()));
    }
    return to(0);
  }

 private:
  // A sum that no timestamp can hold leaves it as it was.
  int64_t adjusted(int64_t before) const {
    int64_t sum = 0;
    if ((before == 0 && !*all) || __builtin_add_overflow(before, time->nanoseconds, &sum))
      return before;
    return sum;
  }
};

HEADROOM_ELEMENT(AdjustTimestamp);

}  // namespace headroom
