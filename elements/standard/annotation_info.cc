#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"

namespace headroom {

class AnnotationInfo final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "AnnotationInfo",
      .ports = "0/0",
      .doc =
          "Gives names to annotations, for the arguments of other elements. Names hold in the "
          "compound element that this one stands in and in all inside it, and go before the "
          "built-in ones.",
      .phase = Phase::information};

  // Its name can be no keyword: a definition may begin with any word.
  ArgList<click::RawText> definitions{
      *this,
      "NAME-OFFSET",
      {.doc = "NAME OFFSET [SIZE]: the annotation's first byte among the packet's 48 user bytes, "
              "and how many it has; without SIZE it fits any use."}};

  bool configure(SetupContext& context) override {
    bool good = true;
    for (std::size_t i = 0; i < definitions->size(); ++i) {
      std::string error;
      if (!router().names().add_annotation(name(), (*definitions)[i].text, error))
        good = context.error(definitions, i, error);
    }
    return good;
  }
};

HEADROOM_ELEMENT(AnnotationInfo);

}  // namespace headroom
