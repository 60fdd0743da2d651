// The handlers `drops` and `drop_details` of elements that check packets: how many were bad, in all
// and by reason, whether they were dropped or sent to an output for bad packets.
//
//   Drop too_short{*this, "too-short", "..."};
//   Drop bad_version{*this, "bad-version", "..."};
//   DropHandlers bad_packets{*this, {&too_short, &bad_version}};
#pragma once

#include <string>
#include <vector>

#include "headroom/graph/drop.hh"
#include "headroom/graph/handler.hh"

namespace headroom {

class DropHandlers {
 public:
  DropHandlers(Element& owner, std::vector<const Drop*> reasons)
      : reasons_(std::move(reasons)),
        total_(
            owner, "drops", "Bad packets.",
            [this] {
              uint64_t total = 0;
              for (const Drop* reason : reasons_) total += reason->packets();
              return std::to_string(total);
            },
            Merge::sum),
        details_(
            owner, "drop_details", "Bad packets, a line for each reason: number and name.",
            [this] {
              std::string text;
              for (const Drop* reason : reasons_)
                text +=
                    std::to_string(reason->packets()) + "\t" + std::string(reason->name()) + "\n";
              return text;
            },
            Merge::concatenate) {}

 private:
  std::vector<const Drop*> reasons_;
  ReadHandler total_;
  ReadHandler details_;
};

}  // namespace headroom
