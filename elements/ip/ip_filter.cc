#include <array>

#include "headroom/base/suggest.hh"
#include "headroom/click/arg_types.hh"
#include "headroom/click/scan.hh"
#include "ip_rules.hh"

namespace headroom {

class IPFilter final : public IPRulesElement<IPFilter> {
 public:
  static constexpr ElementSpec spec{
      .name = "IPFilter",
      .ports = "1/1-",
      .processing = "h/h",
      .doc =
          "Allows or denies IPv4 packets by the first rule whose pattern they match. A rule is "
          "`ACTION PATTERN`; the ACTION is allow (output 0), deny or drop, or the number of an "
          "output. Packets that match no rule are dropped. " HEADROOM_IP_PATTERN_DOC};

  ArgList<click::RawText> rules{*this, "RULE", {.doc = "A rule, ACTION PATTERN."}};

  Drop denied{*this, "denied", "The first rule that it matches denies it."};

  bool configure(SetupContext& context) override {
    bool ok = true;
    for (std::size_t i = 0; i < rules->size(); ++i)
      ok &= read_rule(i, click::unquote((*rules)[i].text), context);
    if (ok) compile_rules(context);
    return ok;
  }

 private:
  bool read_rule(std::size_t index, std::string_view text, SetupContext& context) {
    const std::string label = "pattern " + std::to_string(index) + ": ";
    std::size_t end = 0;
    while (end < text.size() && !click::scan::is_space(text[end])) ++end;
    const std::string_view action = text.substr(0, end);
    const std::string_view pattern = text.substr(end);
    if (action == "deny" || action == "drop")
      return add_rule(index, pattern, denied, "[X]", context);
    uint32_t port = 0;
    std::string unused;
    if (action != "allow" && !click::ArgType<uint32_t>::parse(action, port, unused)) {
      static constexpr std::array<std::string_view, 3> kActions{"allow", "deny", "drop"};
      return context.error(label +
                               "expected 'ACTION PATTERN' with an ACTION of 'allow', 'deny', "
                               "'drop' or the number of an output, not '" +
                               std::string(action) + "'",
                           did_you_mean(action, kActions));
    }
    if (port >= noutputs())
      return context.error(label + "expected an output below " + std::to_string(noutputs()) +
                           ", not " + std::to_string(port));
    return add_rule(index, pattern, Verdict::to(port), "[" + std::to_string(port) + "]", context);
  }
};

HEADROOM_ELEMENT(IPFilter);

}  // namespace headroom
