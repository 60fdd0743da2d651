#include <algorithm>
#include <cmath>
#include <vector>

#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"
#include "headroom/graph/task.hh"

namespace headroom {

class ScheduleInfo final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "ScheduleInfo",
      .ports = "0/0",
      .doc =
          "Gives elements shares of their worker: with a share of 2 a task is run twice as often "
          "as usual, with 0.5 half as often. The share of a compound element multiplies those of "
          "the elements in it. Names are looked for in the compound element that this one stands "
          "in. A share changes the handler `tickets`, of which 1024 are usual.",
      .phase = Phase::information};

  // Its name can be no keyword: a definition may begin with any word.
  ArgList<click::RawText> shares{
      *this, "ELEMENT-SHARE", {.doc = "ELEMENT SHARE: an element, and how often it is run."}};

  bool configure(SetupContext& context) override {
    bool good = true;
    for (std::size_t i = 0; i < shares->size(); ++i) {
      const std::vector<std::string> words = click::split_words((*shares)[i].text);
      std::string unused;
      double share = 0;
      if (words.size() != 2 || !click::ArgType<double>::parse(words[1], share, unused) ||
          !(share >= 0) || !std::isfinite(share)) {
        good = context.error(shares, i, "expected 'ELEMENT SHARE'", "write: q 2");
      } else {
        const std::vector<Element*> named = router().find_all(*this, words[0]);
        if (named.empty())
          context.warning(shares, i, "'" + words[0] + "' does not name an element");
        for (const Element* element : named) scale(*element, share);
      }
    }
    return good;
  }

 private:
  static void scale(const Element& element, double share) {
    for (Task* task : element.tasks()) {
      const double tickets = std::round(task->tickets() * share);
      task->set_tickets(static_cast<uint32_t>(std::clamp(tickets, 1.0, double{Task::kMaxTickets})));
    }
  }
};

HEADROOM_ELEMENT(ScheduleInfo);

}  // namespace headroom
