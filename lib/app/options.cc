#include "options.hh"

#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <sstream>
#include <string_view>

#include "headroom/base/clock.hh"
#include "headroom/base/suggest.hh"

namespace headroom {
namespace {

namespace po = boost::program_options;
using Command = Options::Command;
using Strings = std::vector<std::string>;

// What reads a configuration has, whatever it is called.
void add_common(po::options_description& options) {
  auto add = options.add_options();
  add("expression,e", po::value<std::string>()->value_name("TEXT"),
      "use TEXT as the configuration");
  add("file,f", po::value<std::string>()->value_name("FILE"), "read the configuration from FILE");
  add("clickpath,C", po::value<std::string>()->value_name("PATH"),
      "where libraries and packages are looked for, directories with ':' between (CLICKPATH)");
  add("compat", po::value<std::string>()->value_name("click|nba"),
      "whose configuration it is: Click's, or NBA's (see docs/nba.md)");
  add("output,o", po::value<std::string>()->value_name("FILE"),
      "write the flat configuration to FILE, or - for standard output");
  add("diagnostics", po::value<std::string>()->value_name("auto|full|plain|json"),
      "how to show mistakes: auto is full on a terminal");
  add("version", "print the version");
}

po::options_description visible(Program program) {
  po::options_description options("Options");
  add_common(options);
  auto add = options.add_options();
  if (program == Program::click_flatten) {
    add("help", "print this help");
    return options;
  }
  add("system", po::value<std::string>()->value_name("FILE"),
      "ports, workers and memory of this machine (see --help system)");
  add("set", po::value<Strings>()->value_name("KEY=VALUE"),
      "override a key of the system file, like workers.io_batch_size=32");
  add("threads,j", po::value<uint32_t>()->value_name("N"), "run N workers (workers.count)");
  add("affinity,a", po::value<uint32_t>()->implicit_value(0)->value_name("N"),
      "put the workers on the cores from N on (workers.cores)");
  add("no-affinity", "let the system move workers between cores (workers.pinned)");
  add("quit,q", "check and initialize, but do not run");
  add("handler,h", po::value<Strings>()->value_name("ELEMENT.HANDLER"),
      "print a handler's value at the end; ELEMENT may be a pattern or a class");
  add("exit-handler,x", po::value<std::string>()->value_name("ELEMENT.HANDLER"),
      "take the exit status from a handler's value at the end");
  add("time,t", "print how long it took");
  add("no-warnings,w", "do not warn of a configuration without elements");
  add("run-for", po::value<double>()->value_name("SECONDS"), "stop after so many seconds");
  add("simtime", po::value<double>()->implicit_value(-1)->value_name("SECONDS"),
      "simulated time: it jumps from timer to timer");
  add("report", po::value<std::string>()->value_name("auto|always|never"),
      "when to print the final table: auto is with ports, after a signal, or on a terminal");
  add("sample", po::value<double>()->value_name("SECONDS"),
      "print a line of JSON every so many seconds: counters of ports and workers");
  add("json", "doctor: print its findings as JSON");
  add("help", po::value<std::string>()->implicit_value("")->value_name("[system]"),
      "print this help, or that of the system file");
  return options;
}

template <class T>
bool choose(const std::string& text, const char* name,
            const std::vector<std::pair<std::string, T>>& choices, T& value, std::string& error) {
  std::string valid;
  for (const auto& [word, meaning] : choices) {
    if (text == word) {
      value = meaning;
      return true;
    }
    valid += (valid.empty() ? "" : ", ") + word;
  }
  error = std::string("--") + name + ": '" + text + "' is none of " + valid;
  return false;
}

// The values of a parsed command line, by name.
class Values {
 public:
  explicit Values(const po::variables_map& map) : map_(map) {}

  bool given(const char* name) const { return map_.count(name) != 0; }
  template <class T>
  void read(const char* name, T& value) const {
    if (given(name)) value = map_[name].as<T>();
  }
  template <class T>
  void read(const char* name, std::optional<T>& value) const {
    if (given(name)) value = map_[name].as<T>();
  }

 private:
  const po::variables_map& map_;
};

bool read_times(const Values& values, Options& options, std::string& error) {
  values.read("run-for", options.run_for);
  if (values.given("run-for") && !(options.run_for > 0 && options.run_for < 1e9)) {
    error = "--run-for: not a time in seconds above 0";
    return false;
  }
  values.read("sample", options.sample);
  if (values.given("sample") && !(options.sample >= 0.001 && options.sample < 1e9)) {
    error = "--sample: not a time in seconds of 0.001 or more";
    return false;
  }
  std::optional<double> start;
  values.read("simtime", start);
  if (!start) return true;
  if (!std::isfinite(*start) || *start > 9e9) {
    error = "--simtime: not a time in seconds";
    return false;
  }
  options.simulated_time = *start < 0 ? SimulatedClock::kStart : static_cast<int64_t>(*start * 1e9);
  return true;
}

bool read_choices(const Values& values, Options& options, std::string& error) {
  using Report = Options::Report;
  using Form = Options::Form;
  std::string text = "auto";
  values.read("report", text);
  if (!choose<Report>(
          text, "report",
          {{"auto", Report::automatic}, {"always", Report::always}, {"never", Report::never}},
          options.report, error))
    return false;
  text = "click";
  values.read("compat", text);
  if (!choose<bool>(text, "compat", {{"click", false}, {"nba", true}}, options.nba, error))
    return false;
  text = "auto";
  values.read("diagnostics", text);
  return choose<Form>(text, "diagnostics",
                      {{"auto", Form::automatic},
                       {"full", Form::full},
                       {"plain", Form::plain},
                       {"json", Form::json}},
                      options.diagnostics, error);
}

bool read_values(const Values& values, Options& options, std::string& error) {
  values.read("expression", options.config_text);
  values.read("file", options.config_file);
  values.read("clickpath", options.click_path);
  values.read("output", options.output_file);
  values.read("system", options.system_file);
  values.read("set", options.overrides);
  values.read("threads", options.workers);
  values.read("affinity", options.first_core);
  values.read("handler", options.handlers);
  values.read("exit-handler", options.exit_handler);
  values.read("root", options.root);
  options.json = values.given("json");
  options.pinned = !values.given("no-affinity");
  options.quit = values.given("quit");
  options.times = values.given("time");
  options.warn_when_empty = !values.given("no-warnings");
  return read_times(values, options, error) && read_choices(values, options, error);
}

// "NAME=value" gives a variable its value.
bool read_parameter(const std::string& word, Options& options) {
  const auto is_name_byte = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const auto equals = std::find_if_not(word.begin(), word.end(), is_name_byte);
  if (equals == word.begin() || equals == word.end() || *equals != '=') return false;
  options.parameters.emplace_back(std::string(word.begin(), equals),
                                  std::string(equals + 1, word.end()));
  return true;
}

// Words that are no options: a subcommand first, then parameters and a file.
bool read_words(Program program, const Strings& words, Options& options, std::string& error) {
  std::size_t next = 0;
  if (program == Program::headroom && !words.empty()) {
    if (words[0] == "list" && words.size() == 1) {
      options.command = Command::list;
      return true;
    }
    if (words[0] == "doc") {
      options.command = Command::doc;
      if (words.size() != 2) {
        error = "doc takes the name of an element class";
        return false;
      }
      options.doc_element = words[1];
      return true;
    }
    if (words[0] == "check") options.command = Command::check;
    if (words[0] == "doctor") options.command = Command::doctor;
    if (words[0] == "graph") options.command = Command::graph;
    if (options.command != Command::run) ++next;
  }
  for (; next < words.size(); ++next) {
    if (read_parameter(words[next], options)) continue;
    if (options.config_file || options.config_text) {
      error = "router configuration specified twice";
      return false;
    }
    options.config_file = words[next];
  }
  if (options.config_file && options.config_text) {
    error = "router configuration specified twice";
    return false;
  }
  return true;
}

// Takes "--dpdk ARGUMENT... --" out of the arguments: they are the EAL's and look like ours.
Strings take_eal_arguments(Strings& arguments) {
  const auto first = std::ranges::find(arguments, "--dpdk");
  if (first == arguments.end()) return {};
  const auto last = std::find(first, arguments.end(), "--");
  Strings taken(first + 1, last);
  arguments.erase(first, last == arguments.end() ? last : last + 1);
  return taken;
}

// Boost's message, and the nearest option to one that does not exist.
std::string describe(const po::error& mistake, const po::options_description& options) {
  std::string text = mistake.what();
  const auto* unknown = dynamic_cast<const po::unknown_option*>(&mistake);
  if (unknown == nullptr) return text;
  Strings names;
  for (const auto& option : options.options()) names.push_back("--" + option->long_name());
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string hint = did_you_mean(unknown->get_option_name(), views);
  return hint.empty() ? text : text + "; " + hint;
}

}  // namespace

Program program_of(const char* name) {
  std::string_view base(name);
  base.remove_prefix(base.rfind('/') + 1);
  if (base == "click") return Program::click;
  return base == "click-flatten" ? Program::click_flatten : Program::headroom;
}

std::optional<Options> parse_options(Program program, Strings arguments, std::string& error) {
  Options options;
  if (program == Program::click_flatten)
    options.command = Command::flatten;
  else
    options.eal_arguments = take_eal_arguments(arguments);

  const po::options_description shown = visible(program);
  po::options_description all = shown;
  // --root is a picture of a machine, for the tests of doctor.
  all.add_options()("word", po::value<Strings>())("root", po::value<std::string>());
  po::positional_options_description positional;
  positional.add("word", -1);
  po::variables_map map;
  try {
    po::store(
        po::command_line_parser(arguments)
            .options(all)
            .positional(positional)
            .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
            .run(),
        map);
    po::notify(map);
  } catch (const po::error& mistake) {
    error = describe(mistake, shown);
    return std::nullopt;
  }
  const Values values(map);
  Strings words;
  values.read("word", words);
  if (values.given("version")) {
    options.command = Command::version;
    return options;
  }
  if (values.given("help")) {
    const bool system =
        program != Program::click_flatten && (map["help"].as<std::string>() == "system" ||
                                              (!words.empty() && words.front() == "system"));
    options.command = system ? Command::help_system : Command::help;
    return options;
  }
  if (!read_values(values, options, error) || !read_words(program, words, options, error))
    return std::nullopt;
  if (options.json && options.command != Command::doctor) {
    error = "--json is an option of doctor";
    return std::nullopt;
  }
  return options;
}

std::string usage(Program program) {
  std::ostringstream out;
  switch (program) {
    case Program::click_flatten:
      out << "Usage: click-flatten [options] [NAME=value ...] [CONFIG.click]\n\n"
             "Prints the configuration with all compound elements expanded. Classes need not be "
             "known.\n";
      break;
    case Program::click:
      out << "Usage: click [options] [NAME=value ...] [CONFIG.click]   run a configuration\n\n";
      break;
    case Program::headroom:
      out << "Usage: headroom [options] [NAME=value ...] [CONFIG.click]   run a configuration\n"
             "       headroom check [options] [CONFIG.click]   report its mistakes, start nothing\n"
             "       headroom graph [options] [CONFIG.click]   draw it, for Graphviz\n"
             "       headroom doctor [options] [CONFIG.click]  say whether this machine can run "
             "it\n"
             "       headroom list                             list the element classes\n"
             "       headroom doc ELEMENT                      show an element's manual page\n\n";
      break;
  }
  out << "Without CONFIG.click, or with -, the configuration is read from standard input.\n"
         "NAME=value gives the configuration's variable $NAME its value.\n\n"
      << visible(program);
  if (program != Program::click_flatten)
    out << "  --dpdk ARGUMENT... --             further arguments for DPDK's EAL\n";
  return out.str();
}

}  // namespace headroom
