#include "options.hh"

#include <boost/program_options.hpp>
#include <cmath>
#include <sstream>

#include "headroom/base/clock.hh"

namespace headroom {
namespace {

namespace po = boost::program_options;

po::options_description visible() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("expression,e", po::value<std::string>()->value_name("TEXT"),
      "use TEXT as the configuration");
  add("system", po::value<std::string>()->value_name("FILE"),
      "ports, workers and memory of this machine (see --help system)");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "override a key of the system file, like workers.io_batch_size=32");
  add("threads,j", po::value<uint32_t>()->value_name("N"), "run N workers (workers.count)");
  add("quit,q", "check and initialize, but do not run");
  add("handler,h", po::value<std::vector<std::string>>()->value_name("ELEMENT.HANDLER"),
      "print a handler's value at the end");
  add("run-for", po::value<double>()->value_name("SECONDS"), "stop after so many seconds");
  add("simtime", po::value<double>()->implicit_value(-1)->value_name("SECONDS"),
      "simulated time: it jumps from timer to timer");
  add("report", po::value<std::string>()->value_name("auto|always|never"),
      "when to print the final table: auto is with ports, after a signal, or on a terminal");
  add("diagnostics", po::value<std::string>()->value_name("auto|full|plain"),
      "how to show mistakes: auto is full on a terminal");
  add("version", "print the version");
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

bool read_values(const po::variables_map& values, Options& options, std::string& error) {
  if (values.count("expression") != 0) options.config_text = values["expression"].as<std::string>();
  if (values.count("system") != 0) options.system_file = values["system"].as<std::string>();
  if (values.count("set") != 0) options.overrides = values["set"].as<std::vector<std::string>>();
  if (values.count("handler") != 0)
    options.handlers = values["handler"].as<std::vector<std::string>>();
  if (values.count("threads") != 0) options.workers = values["threads"].as<uint32_t>();
  options.quit = values.count("quit") != 0;
  if (values.count("run-for") != 0) {
    options.run_for = values["run-for"].as<double>();
    if (!(options.run_for > 0 && options.run_for < 1e9)) {
      error = "--run-for: not a time in seconds above 0";
      return false;
    }
  }
  if (values.count("simtime") != 0) {
    const double seconds = values["simtime"].as<double>();
    if (!std::isfinite(seconds) || seconds > 9e9) {
      error = "--simtime: not a time in seconds";
      return false;
    }
    options.simulated_time =
        seconds < 0 ? SimulatedClock::kStart : static_cast<int64_t>(seconds * 1e9);
  }
  if (values.count("report") != 0 &&
      !choose<Options::Report>(values["report"].as<std::string>(), "report",
                               {{"auto", Options::Report::automatic},
                                {"always", Options::Report::always},
                                {"never", Options::Report::never}},
                               options.report, error))
    return false;
  return values.count("diagnostics") == 0 ||
         choose<Options::Form>(values["diagnostics"].as<std::string>(), "diagnostics",
                               {{"auto", Options::Form::automatic},
                                {"full", Options::Form::full},
                                {"plain", Options::Form::plain}},
                               options.diagnostics, error);
}

bool read_words(const std::vector<std::string>& words, Options& options, std::string& error) {
  if (words.empty()) return true;
  if (words[0] == "list" && words.size() == 1) {
    options.command = Options::Command::list;
    return true;
  }
  if (words[0] == "doc" && words.size() == 2) {
    options.command = Options::Command::doc;
    options.doc_element = words[1];
    return true;
  }
  if (words[0] == "doc") {
    error = "doc takes the name of an element class";
    return false;
  }
  if (words.size() > 1 || options.config_text) {
    error = "router configuration specified twice";
    return false;
  }
  options.config_file = words[0];
  return true;
}

}  // namespace

std::optional<Options> parse_options(int argc, char** argv, std::string& error) {
  po::options_description all = visible();
  all.add_options()("word", po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add("word", -1);
  po::variables_map values;
  try {
    po::store(
        po::command_line_parser(argc, argv)
            .options(all)
            .positional(positional)
            .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
            .run(),
        values);
    po::notify(values);
  } catch (const po::error& mistake) {
    error = mistake.what();
    return std::nullopt;
  }
  std::vector<std::string> words;
  if (values.count("word") != 0) words = values["word"].as<std::vector<std::string>>();
  Options options;
  if (values.count("version") != 0) {
    options.command = Options::Command::version;
    return options;
  }
  if (values.count("help") != 0) {
    const bool system = values["help"].as<std::string>() == "system" ||
                        (!words.empty() && words.front() == "system");
    options.command = system ? Options::Command::help_system : Options::Command::help;
    return options;
  }
  if (!read_values(values, options, error) || !read_words(words, options, error))
    return std::nullopt;
  return options;
}

std::string usage() {
  std::ostringstream out;
  out << "Usage: headroom [options] [CONFIG.click]   run a router configuration\n"
         "       headroom list                       list the element classes\n"
         "       headroom doc ELEMENT                show an element's manual page\n\n"
         "Without CONFIG.click, or with -, the configuration is read from standard input.\n\n"
      << visible();
  return out.str();
}

}  // namespace headroom
