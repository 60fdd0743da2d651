#include <algorithm>
#include <vector>

#include "headroom/base/random.hh"
#include "headroom/graph/element.hh"

namespace headroom {

class RandomWeightedBranch final : public PacketElement<RandomWeightedBranch> {
 public:
  static constexpr ElementSpec spec{
      .name = "RandomWeightedBranch",
      .ports = "1/1-",
      .processing = "h/h",
      .doc = "Sends every packet to an output by chance, to some more often than to others."};

  ArgList<double> weights{
      *this,
      "WEIGHT",
      {.doc = "One for each output. It is chosen as often as its part of the sum of all says."}};

  bool configure(SetupContext& context) override {
    if (weights->size() != noutputs())
      return context.error("has " + std::to_string(noutputs()) + " outputs and " +
                           std::to_string(weights->size()) + " weights");
    double sum = 0;
    for (std::size_t i = 0; i < weights->size(); ++i) {
      const double weight = (*weights)[i];
      if (!(weight >= 0 && weight <= kMost))
        return context.error(weights, i, "WEIGHT: out of range, 0 to 1,000,000,000");
      sum += weight;
      bounds_.push_back(sum);
    }
    return sum > 0 || context.error(weights, 0, "WEIGHT: one must be more than 0");
  }

  bool initialize(SetupContext&) override {
    random_ = Random(worker().worker + 1);
    return true;
  }

  Verdict process(Packet&) {
    const double value = random_.uniform() * bounds_.back();
    const auto found = std::ranges::upper_bound(bounds_, value);
    // What rounding puts at the very end belongs to the last one.
    return to(std::min(static_cast<uint32_t>(found - bounds_.begin()), noutputs() - 1));
  }

 private:
  static constexpr double kMost = 1e9;

  std::vector<double> bounds_;  // where each output's share of 0 .. sum ends
  Random random_;
};

HEADROOM_ELEMENT(RandomWeightedBranch);

}  // namespace headroom
