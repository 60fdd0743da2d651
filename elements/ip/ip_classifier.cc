#include "ip_rules.hh"

namespace headroom {

class IPClassifier final : public IPRulesElement<IPClassifier> {
 public:
  static constexpr ElementSpec spec{
      .name = "IPClassifier",
      .ports = "1/1-",
      .processing = "h/h",
      .doc =
          "Sends every IPv4 packet to the output of the first pattern that it "
          "matches. " HEADROOM_IP_PATTERN_DOC};

  ArgList<click::RawText> patterns{*this, "PATTERN", {.doc = "One pattern for each output."}};

  bool configure(SetupContext& context) override {
    bool ok = true;
    for (std::size_t i = 0; i < patterns->size(); ++i) {
      const std::string text = click::unquote((*patterns)[i].text);
      ok &= add_rule(i, text, Verdict::to(static_cast<uint32_t>(i)), "[" + std::to_string(i) + "]",
                     context);
    }
    if (patterns->size() != noutputs())
      ok = context.error(std::to_string(noutputs()) + " outputs, but " +
                         std::to_string(patterns->size()) + " patterns: it needs one for each");
    if (ok) compile_rules(context);
    return ok;
  }
};

HEADROOM_ELEMENT(IPClassifier);

}  // namespace headroom
