#include "diagnostics_json.hh"

#include <nlohmann/json.hpp>

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

void add_place(Json& object, const Sources& sources, SourceLocation where) {
  if (!where.known()) return;
  object["file"] = sources.name(where.file);
  object["line"] = where.line;
  if (where.column != 0) object["column"] = where.column;
}

Json to_json(const Diagnostic& diagnostic, const Sources& sources) {
  const SourceLocation where = sources.resolve(diagnostic.where);
  Json object;
  switch (diagnostic.severity) {
    case Severity::error:
      object["severity"] = "error";
      break;
    case Severity::warning:
      object["severity"] = "warning";
      break;
    case Severity::note:
      object["severity"] = "note";
      break;
  }
  add_place(object, sources, where);
  object["message"] = diagnostic.message;
  if (!diagnostic.context.empty()) object["context"] = diagnostic.context;
  if (!diagnostic.hint.empty()) object["hint"] = diagnostic.hint;
  for (const auto* use = sources.expansion(where.expansion); use != nullptr;) {
    const SourceLocation used = sources.resolve(use->where);
    Json place;
    place["element"] = use->name;
    add_place(place, sources, used);
    object["expanded from"].push_back(std::move(place));
    use = sources.expansion(used.expansion);
  }
  return object;
}

}  // namespace

std::string diagnostics_as_json(const Diagnostics& diagnostics, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < diagnostics.all().size(); ++i)
    text += to_json(diagnostics.all()[i], diagnostics.sources())
                .dump(-1, ' ', false, Json::error_handler_t::replace) +
            "\n";
  return text;
}

}  // namespace headroom
