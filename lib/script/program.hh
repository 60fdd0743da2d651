// A script: instructions that call handlers, set variables, wait and jump. What Script and
// DriverManager run.
//
//   script::Program program;
//   for (const std::string& text : arguments)
//     if (!program.add(text, error)) ...
//   if (!program.finish(error)) ...        // labels exist
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::script {

enum class Op : uint8_t {
  set,
  setq,
  init,
  initq,
  export_,
  exportq,
  print,
  printn,
  printq,
  printnq,
  read,
  readq,
  write,
  writeq,
  save,
  append,
  wait_step,
  wait_time,
  label,
  go,
  end,
  exit,
  stop,
  return_,
  returnq,
  error,
  errorq,
};

struct Instruction {
  Op op = Op::end;
  std::string name;      // a variable, label, handler or file
  std::string text;      // what is left, to be expanded
  int64_t number = 0;    // steps, or nanoseconds
  bool appends = false;  // print: to the end of the file `name`
};

class Program {
 public:
  // Places that are no instruction's.
  static constexpr std::size_t kEnd = SIZE_MAX;
  static constexpr std::size_t kExit = SIZE_MAX - 1;
  static constexpr std::size_t kStop = SIZE_MAX - 2;
  static constexpr std::size_t kError = SIZE_MAX - 3;
  static constexpr std::size_t kNowhere = SIZE_MAX - 4;

  // Adds "INSTRUCTION [ARGUMENTS]". False, with the reason, when it makes no sense. Nothing is
  // added for an empty text.
  bool add(std::string_view text, std::string& error);
  // Checks that the labels of all jumps exist.
  bool finish(std::string& error) const;

  std::size_t size() const { return instructions_.size(); }
  const Instruction& operator[](std::size_t index) const { return instructions_[index]; }
  // Where a jump to the label goes: an index, or one of the places above. `begin` and `loop` are
  // the first instruction.
  std::size_t place_of(std::string_view label) const;
  bool waits_first() const;

 private:
  std::vector<Instruction> instructions_;
};

}  // namespace headroom::script
