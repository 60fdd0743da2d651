// Runs a script::Program: one step after the other until it waits or ends.
//
//   Interpreter interpreter(program, host);
//   interpreter.initialize();
//   const Status& status = interpreter.run();
//   if (status.waits && status.time) ...        // a time, or a step: see step()
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/click/variables.hh"
#include "headroom/script/program.hh"

namespace headroom::script {

// What a script acts on.
class Host {
 public:
  virtual ~Host() = default;
  virtual std::optional<std::string> read(std::string_view handler, std::string_view parameters,
                                          std::string& error) = 0;
  virtual bool write(std::string_view handler, std::string_view value, std::string& error) = 0;
  // Something went wrong while it ran.
  virtual void complain(std::string_view text) = 0;
  // The instruction `stop`.
  virtual void stop() = 0;
};

enum class End : uint8_t { none, end, exit, stop, error, returned };

struct Status {
  bool waits = false;
  std::optional<int64_t> time;  // nanoseconds to wait at most, if not for a step alone
  End end = End::none;
  std::string value;  // of `return`
};

// What a call of the script has besides its variables: $args, $1, $0, $input, ...
using Arguments = std::map<std::string, std::string, std::less<>>;
// $args, $1, $2, ... and $# of the parameters of `run`.
Arguments arguments_of(std::string_view parameters);

class Interpreter final : private click::Variables {
 public:
  Interpreter(const Program& program, Host& host) : program_(program), host_(host) {}

  // Sets the variables of `init` and `export`, once; returns the names of the latter.
  std::vector<std::string> initialize();
  // From the beginning. Only a script that is not running already can be started.
  void start();
  const Status& run();
  const Status& status() const { return status_; }
  // Past `steps` waiting instructions.
  const Status& step(int64_t steps);
  // Goes on at a label; false when there is none.
  bool jump(std::string_view label);
  // Runs it from beginning to end, whatever it was doing; it goes on with that afterwards. Returns
  // how it ended. A script that is called cannot wait.
  Status call(Arguments arguments);

  void set(std::string_view name, std::string value);
  std::optional<std::string> get(std::string_view name) const;

 private:
  std::optional<std::string> find(std::string_view name, int depth) override;
  std::optional<std::string> find_form(std::string_view form, int depth) override;
  bool has_forms() const override { return true; }
  bool spend(uint64_t bytes) override;

  std::string expand(std::string_view text);
  std::string expand_unquoted(std::string_view text);
  void execute(const Instruction& instruction);
  void print(const Instruction& instruction);
  void output(const Instruction& instruction, std::string text, bool newline);
  void read(const Instruction& instruction);
  void write(const Instruction& instruction);
  void save(const Instruction& instruction);
  void wait_for(const Instruction& instruction);
  void go(const Instruction& instruction);
  void go_to(std::size_t place);
  void finish(End end, std::string value = {});

  const Program& program_;
  Host& host_;
  std::map<std::string, std::string, std::less<>> variables_;
  Arguments arguments_;
  Status status_;
  std::size_t next_ = 0;
  int64_t steps_left_ = 0;
  int jumps_ = 0;
  int calls_ = 0;
  int write_status_ = 0;
  uint64_t spent_ = 0;
};

}  // namespace headroom::script
