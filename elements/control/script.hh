// Script, and what DriverManager derives from it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/graph/element.hh"
#include "headroom/graph/router.hh"
#include "headroom/graph/signals.hh"
#include "headroom/script/interpreter.hh"

namespace headroom {

class Script : public Element, private script::Host {
 public:
  static constexpr ElementSpec spec{
      .name = "Script",
      .ports = "-/-",
      .processing = "h/h",
      .doc =
          "Runs instructions: calls handlers, sets variables, waits, jumps. TYPE ACTIVE starts "
          "with "
          "the router, PASSIVE runs when its `run` handler is called, DRIVER decides what a stop "
          "event means, PACKET (the default with ports) runs for every packet and returns its "
          "output, PROXY runs for every handler that it does not have, SIGNAL runs when the "
          "process "
          "gets one of the signals whose names come behind it.",
      .once = true};

  Script();

  Arg<click::RawText> type{*this,
                           "TYPE",
                           click::RawText{},
                           {.doc = "ACTIVE, PASSIVE, DRIVER, PACKET, PROXY or SIGNAL NAME..."}};
  ArgList<click::RawText> instructions{*this, "INSTRUCTION", {.doc = "What to do, in order."}};

  Drop exited{*this, "script-exit", "The script ended with exit, stop or an error."};
  Timer timer{*this};

  bool configure(SetupContext& context) override;
  bool initialize(SetupContext& context) override;
  void push(uint32_t port, PacketBatch& batch) override;
  void run_timer(Timer&) override;
  std::optional<Handler> make_handler(std::string_view name) override;

 protected:
  virtual std::string_view default_type() const {
    return ninputs() + noutputs() > 0 ? "PACKET" : "ACTIVE";
  }

 private:
  enum class Type : uint8_t { active, passive, driver, packet, proxy, signal };

  std::optional<std::string> read(std::string_view handler, std::string_view parameters,
                                  std::string& error) override;
  bool write(std::string_view handler, std::string_view value, std::string& error) override;
  void complain(std::string_view text) override;
  void stop() override { router().stop_event(); }

  // The element that "q.length" means here: in the same compound element or one around it.
  std::string resolve(std::string_view handler) const;
  std::optional<std::string> call(script::Arguments arguments, std::string& error);
  // Takes a stop event; false when the script has ended.
  bool take_stop_event();
  void go_on();
  bool read_type(SetupContext& context);
  bool read_signals(SetupContext& context, const std::vector<std::string>& names);
  void take_signal();
  void end_signal();

  script::Program program_;
  script::Interpreter interpreter_{program_, *this};
  Type type_ = Type::active;
  std::vector<int> signals_;
  bool handles_signal_ = false;  // from its beginning to its end
  bool signal_waits_ = false;    // one that came meanwhile
  SignalListener listener_{[this](int) { take_signal(); }};
};

}  // namespace headroom
