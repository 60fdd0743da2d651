#include "manual.hh"

#include <fmt/format.h>

#include <algorithm>

#include "headroom/graph/element.hh"

namespace headroom {
namespace {

std::string_view summary(std::string_view doc) {
  const auto end = doc.find(". ");
  return end == std::string_view::npos ? doc : doc.substr(0, end + 1);
}

// Breaks at blanks so that no line, indent included, is longer than 79 characters.
std::string wrap(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (column != 0 && indent + column + 1 + word.size() > 79) {
      out += "\n";
      column = 0;
    }
    if (column == 0) out.append(indent, ' ');
    if (column != 0) out += ' ';
    out += word;
    column += word.size() + (column != 0 ? 1 : 0);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return out + "\n";
}

std::string argument(const ArgBase& arg) {
  std::string head = fmt::format("  {}: {}", arg.name(), arg.type());
  if (!arg.options().unit.empty()) head += fmt::format(" ({})", arg.options().unit);
  if (arg.is_list())
    head += ", any number";
  else if (arg.options().mandatory)
    head += ", required";
  else if (const std::string value = arg.default_text(); !value.empty())
    head += ", default " + value;
  if (!arg.options().positional) head += ", by keyword";
  return head + "\n" + wrap(arg.options().doc, 6);
}

std::string access(const Handler& handler) {
  std::string text = handler.query ? "read with parameters" : handler.read ? "read" : "";
  if (handler.write) text += text.empty() ? "write" : ", write";
  return text;
}

std::string synopsis(const Element& element, std::string_view name) {
  std::string text = fmt::format("  {}(", name);
  bool first = true;
  for (const ArgBase* arg : element.args()) {
    if (!arg->options().positional) continue;
    const std::string separator = first ? "" : ", ";
    if (arg->is_list())
      text += separator + std::string(arg->name()) + "...";
    else if (arg->options().mandatory)
      text += separator + std::string(arg->name());
    else
      text += fmt::format("[{}{}]", separator, arg->name());
    first = false;
  }
  for (const ArgBase* arg : element.args()) {
    if (arg->options().positional) continue;
    text += fmt::format("[{}{} {}]", first ? "" : ", ", arg->name(), arg->type());
    first = false;
  }
  return text + ")\n";
}

}  // namespace

std::string manual_list(const Registry& registry) {
  std::string text;
  std::size_t width = 0;
  for (const ElementClass* one : registry.all()) width = std::max(width, one->spec->name.size());
  for (const ElementClass* one : registry.all())
    text += fmt::format("{:<{}}  {}\n", one->spec->name, width, summary(one->spec->doc));
  return text;
}

std::string manual_page(const ElementClass& element_class) {
  const ElementSpec& spec = *element_class.spec;
  const auto element = element_class.make();
  std::string text =
      fmt::format("{}\n\n{}\n{}", spec.name, synopsis(*element, spec.name), wrap(spec.doc, 2));
  text += fmt::format("\nPorts {} (inputs/outputs), processing {} (h push, l pull, a either)\n",
                      spec.ports, spec.processing);
  if (!element->args().empty()) text += "\nArguments\n";
  for (const ArgBase* arg : element->args()) text += argument(*arg);
  text += "\nDrops\n";
  for (const Drop* drop : element->drops())
    text += fmt::format("  {}\n{}", drop->name(), wrap(drop->doc(), 6));
  text += "\nHandlers\n";
  for (const Handler& handler : element->handlers())
    text += fmt::format("  {} ({})\n{}", handler.name, access(handler), wrap(handler.doc, 6));
  bool live = false;
  for (const ArgBase* arg : element->args()) {
    if (!arg->options().live) continue;
    live = true;
    text += fmt::format("  {} (read, write)\n{}", arg->handler_name(), wrap(arg->options().doc, 6));
  }
  if (live)
    text += "  config (read, write)\n" + wrap("The arguments, of which those above can change.", 6);
  text += "  and those of every element: class name config ports drops handlers\n";
  return text;
}

}  // namespace headroom
