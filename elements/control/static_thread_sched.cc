#include <string>
#include <vector>

#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"

namespace headroom {

class StaticThreadSched final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "StaticThreadSched",
      .ports = "0/0",
      .doc =
          "Says on which worker elements run: an element that would run on all, or on one by "
          "Headroom's choice, then runs on that one, and packets get there by a ring. Elements "
          "that pull from it or that it pulls from come along. A compound element stands for "
          "all that is in it.",
      .phase = Phase::information};

  // Its name can be no keyword: a pair may begin with any word.
  ArgList<click::RawText> pairs{
      *this, "ELEMENT-WORKER", {.doc = "ELEMENT WORKER: workers are counted from 0."}};

  bool configure(SetupContext& context) override {
    bool good = true;
    for (std::size_t i = 0; i < pairs->size(); ++i) {
      const std::vector<std::string> words = click::split_words((*pairs)[i].text);
      std::string unused;
      uint32_t worker = 0;
      if (words.size() != 2 || !click::ArgType<uint32_t>::parse(words[1], worker, unused))
        good = context.error(pairs, i, "expected 'ELEMENT WORKER'", "write: q 1");
      else
        good &= pin(context, i, words[0], worker);
    }
    return good;
  }

 private:
  bool pin(SetupContext& context, std::size_t i, const std::string& element, uint32_t worker) {
    const std::vector<Element*> named = router().find_all(*this, element);
    for (const Element* one : named) router().set_pin(one->index(), worker);
    return !named.empty() || context.error(pairs, i, "'" + element + "' does not name an element");
  }
};

HEADROOM_ELEMENT(StaticThreadSched);

}  // namespace headroom
