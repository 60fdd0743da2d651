#include "headroom/graph/element.hh"

namespace headroom {

enum class MessageKind : uint8_t { message, warning, error };

namespace click {
template <>
struct ArgType<MessageKind> {
  static constexpr std::string_view name = "MESSAGE, WARNING or ERROR";
  static bool parse(std::string_view text, MessageKind& value, std::string& error) {
    if (text == "MESSAGE") {
      value = MessageKind::message;
    } else if (text == "WARNING") {
      value = MessageKind::warning;
    } else if (text == "ERROR") {
      value = MessageKind::error;
    } else {
      error = "should be MESSAGE, WARNING or ERROR";
      return false;
    }
    return true;
  }
  static std::string unparse(const MessageKind& value) {
    return value == MessageKind::message   ? "MESSAGE"
           : value == MessageKind::warning ? "WARNING"
                                           : "ERROR";
  }
};
}  // namespace click

class Message final : public Element {
 public:
  static constexpr ElementSpec spec{
      .name = "Message",
      .ports = "0/0",
      .doc = "Shows a text to the person who starts the configuration."};

  Arg<std::string> text{
      *this, "MESSAGE", {.doc = "The text.", .positional = true, .mandatory = true}};
  Arg<MessageKind> kind{
      *this,
      "TYPE",
      MessageKind::message,
      {.doc = "What it is; an ERROR keeps the router from starting.", .positional = true}};

  bool configure(SetupContext& context) override {
    switch (*kind) {
      case MessageKind::error:
        return context.error(*text);
      case MessageKind::warning:
        context.warning(*text);
        break;
      case MessageKind::message:
        context.diagnostics.note(where(), *text);
        break;
    }
    return true;
  }
};

HEADROOM_ELEMENT(Message);

}  // namespace headroom
