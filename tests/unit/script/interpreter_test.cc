#include "headroom/script/interpreter.hh"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace headroom::script {
namespace {

using testing::ElementsAre;

// Handlers are variables of a map; what happens is written down.
class Recorder final : public Host {
 public:
  std::optional<std::string> read(std::string_view handler, std::string_view parameters,
                                  std::string& error) override {
    if (handler == "echo") return std::string(parameters);
    if (handler == "call") return interpreter->call(arguments_of(parameters)).value;
    const auto found = values.find(handler);
    if (found != values.end()) return found->second;
    error = "no " + std::string(handler);
    return std::nullopt;
  }
  bool write(std::string_view handler, std::string_view value, std::string& error) override {
    if (handler == "log") {
      log.emplace_back(value);
      return true;
    }
    error = "cannot write " + std::string(handler);
    return false;
  }
  void complain(std::string_view text) override { complaints.emplace_back(text); }
  void stop() override { ++stops; }

  std::map<std::string, std::string, std::less<>> values;
  std::vector<std::string> log;
  std::vector<std::string> complaints;
  int stops = 0;
  Interpreter* interpreter = nullptr;
};

class ScriptTest : public testing::Test {
 protected:
  Interpreter& make(const std::vector<std::string>& instructions) {
    std::string error;
    for (const std::string& one : instructions) EXPECT_TRUE(program.add(one, error)) << error;
    EXPECT_TRUE(program.finish(error)) << error;
    interpreter = std::make_unique<Interpreter>(program, host);
    host.interpreter = interpreter.get();
    return *interpreter;
  }
  static std::string refusal(std::string_view instruction) {
    Program refusing;
    std::string error;
    EXPECT_FALSE(refusing.add(instruction, error)) << instruction;
    return error;
  }

  Program program;
  Recorder host;
  std::unique_ptr<Interpreter> interpreter;
};

TEST_F(ScriptTest, VariablesAndQuotes) {
  host.values["c"] = "0";
  make({"set x $(c)", "write log $x", "set x \"$(c)\"", "write log $x", "setq x \"$(c)\"",
        "write log $x", "writeq log \"a  b\"", "set x c", "write log $($x)", "write log '$x'",
        "write log $none ${x}y"})
      .run();
  EXPECT_THAT(host.log, ElementsAre("0", "\"0\"", "0", "a  b", "0", "'$x'", "$none cy"));
  EXPECT_EQ(interpreter->status().end, End::end);
}

TEST_F(ScriptTest, CallsNest) {
  host.values["inner"] = "value";
  make({"set n inner", "write log $(echo <$(echo $($n))>)", "write log $(echo (a) b)"}).run();
  EXPECT_THAT(host.log, ElementsAre("<value>", "(a) b"));
}

TEST_F(ScriptTest, InitHappensOnce) {
  make({"write log $x", "init x 1", "export y $x", "set x 2", "write log $x$y"});
  EXPECT_THAT(interpreter->initialize(), ElementsAre("y"));
  interpreter->run();
  EXPECT_THAT(host.log, ElementsAre("1", "21"));
}

TEST_F(ScriptTest, WaitsForSteps) {
  make({"write log a", "wait", "write log b", "pause 3", "write log c", "wait_stop 0",
        "write log d"});
  EXPECT_TRUE(interpreter->run().waits);
  EXPECT_EQ(interpreter->status().time, std::nullopt);
  EXPECT_THAT(host.log, ElementsAre("a"));
  interpreter->step(1);
  interpreter->step(2);
  EXPECT_THAT(host.log, ElementsAre("a", "b"));
  EXPECT_FALSE(interpreter->step(1).waits);
  EXPECT_THAT(host.log, ElementsAre("a", "b", "c", "d"));
}

TEST_F(ScriptTest, SeveralStepsPassSeveralWaits) {
  make({"wait", "write log a", "wait 1s", "write log b", "wait", "write log c"}).run();
  interpreter->step(2);
  EXPECT_THAT(host.log, ElementsAre("a", "b"));
  interpreter->step(100);
  EXPECT_THAT(host.log, ElementsAre("a", "b", "c"));
}

TEST_F(ScriptTest, WaitsForATime) {
  make({"wait 10ms", "set t 2", "wait_time $t", "wait_for ${t}00us", "wait $(nothing)"});
  EXPECT_EQ(interpreter->run().time, 10'000'000);
  EXPECT_EQ(interpreter->step(1).time, 2'000'000'000);
  EXPECT_EQ(interpreter->step(1).time, 200'000);
  EXPECT_EQ(interpreter->step(1).end, End::error);
  EXPECT_THAT(host.complaints, ElementsAre("no nothing", "syntax error at 'wait'"));
}

TEST_F(ScriptTest, Jumps) {
  host.values["true"] = "true";
  make({"set x 0", "label again", "set x ${x}1", "goto done $(true)", "goto again", "label done",
        "write log $x", "goto exit false", "goto stop", "write log never"})
      .run();
  EXPECT_THAT(host.log, ElementsAre("01"));
  EXPECT_EQ(interpreter->status().end, End::stop);
  EXPECT_EQ(host.stops, 1);
}

TEST_F(ScriptTest, TooManyJumpsWithoutAWaitEndIt) {
  make({"label l", "goto l"}).run();
  EXPECT_EQ(interpreter->status().end, End::error);
  EXPECT_THAT(host.complaints, ElementsAre("too many jumps, giving up"));
}

TEST_F(ScriptTest, AWaitBetweenJumpsMakesThemHarmless) {
  make({"wait", "set x 1", "loop"}).run();
  for (int i = 0; i < 5000; ++i) ASSERT_TRUE(interpreter->step(1).waits);
  EXPECT_THAT(host.complaints, ElementsAre());
}

TEST_F(ScriptTest, MistakesAtRunTime) {
  make({"write nowhere 1", "write log $?", "write log x", "write log $?", "read nothing",
        "print nothing", "goto end maybe", "set l nolabel", "goto $l"})
      .run();
  EXPECT_THAT(host.log, ElementsAre("-22", "x", "0"));
  EXPECT_THAT(host.complaints, ElementsAre("cannot write nowhere", "no nothing", "no nothing",
                                           "bad condition 'maybe'", "no such label 'nolabel'"));
}

TEST_F(ScriptTest, ArgumentsOfACall) {
  make({"write log $#:$1:$2:$3:$args", "returnq $2"});
  EXPECT_EQ(interpreter->call(arguments_of("a \"b c\" d")).value, "b c");
  EXPECT_THAT(host.log, ElementsAre("3:a:\"b c\":d:a \"b c\" d"));
  EXPECT_EQ(interpreter->call(arguments_of("")).value, "");
  EXPECT_EQ(host.log.back(), "0::::");
}

TEST_F(ScriptTest, CallsItself) {
  make({"goto more $(echo $2)", "return $1", "label more", "return <$(call $1$1 false)>"});
  EXPECT_EQ(interpreter->call(arguments_of("a true")).value, "<aa>");
}

TEST_F(ScriptTest, CallsItselfWithoutEnd) {
  make({"return $(call)"});
  interpreter->call({});
  EXPECT_THAT(host.complaints, ElementsAre("runs itself too deeply"));
}

TEST_F(ScriptTest, ACallCannotWaitAndDisturbsNothing) {
  make({"wait", "write log $(echo $#)"});
  interpreter->run();
  EXPECT_EQ(interpreter->call(arguments_of("x")).end, End::error);
  EXPECT_THAT(host.complaints, ElementsAre("cannot wait while it is run by a handler"));
  interpreter->step(1);
  EXPECT_THAT(host.log, ElementsAre("$#"));  // it has no arguments of its own
}

TEST_F(ScriptTest, Ends) {
  EXPECT_EQ(make({"error \"because\""}).run().end, End::error);
  EXPECT_THAT(host.complaints, ElementsAre("\"because\""));
}

TEST_F(ScriptTest, SyntaxErrors) {
  for (const char* word :
       {"foo", "set", "wait", "label", "goto", "write", "print", "stop", "loop"}) {
    const std::string text = std::map<std::string, std::string>{
        {"foo", "foo bar"},    {"set", "set $x 1"},  {"wait", "wait soon"},
        {"label", "label"},    {"goto", "goto"},     {"write", "write"},
        {"print", "print > "}, {"stop", "stop now"}, {"loop", "loop twice"}}[word];
    EXPECT_EQ(refusal(text), "syntax error at '" + std::string(word) + "'");
  }
  EXPECT_EQ(refusal("pause -1"), "syntax error at 'pause'");
  EXPECT_EQ(refusal("label a b"), "syntax error at 'label'");
  Program jumps;
  std::string error;
  EXPECT_TRUE(jumps.add("goto nowhere", error));
  EXPECT_FALSE(jumps.finish(error));
  EXPECT_EQ(error, "no such label 'nowhere'");
  EXPECT_TRUE(jumps.add("", error));
}

TEST_F(ScriptTest, HostileTextEnds) {
  std::string nested = "set x ";
  for (int i = 0; i < 20000; ++i) nested += "$(echo ";
  make({nested, "set a $b$b$b$b$b$b$b$b", "set b $a$a$a$a$a$a$a$a", "goto begin"}).run();
  EXPECT_EQ(interpreter->status().end, End::error);
}

}  // namespace
}  // namespace headroom::script
