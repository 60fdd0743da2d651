#include "headroom/base/diagnostics.hh"

#include <algorithm>
#include <utility>

namespace headroom {

// --- Sources ---

uint32_t Sources::add(std::string name, std::string text) {
  sources_.push_back({std::move(name), std::move(text), 0, 0, {}});
  return static_cast<uint32_t>(sources_.size());
}

uint32_t Sources::add_alias(std::string name, uint32_t original, int64_t shift) {
  sources_.push_back({std::move(name), {}, original, shift, {}});
  return static_cast<uint32_t>(sources_.size());
}

const Sources::Source* Sources::find(uint32_t file) const {
  return file == 0 || file > sources_.size() ? nullptr : &sources_[file - 1];
}

const std::string& Sources::name(uint32_t file) const {
  static const std::string none;
  const Source* source = find(file);
  return source ? source->name : none;
}

const std::string& Sources::text(uint32_t file) const {
  static const std::string none;
  const Source* source = find(file);
  return source ? source->text : none;
}

std::string_view Sources::line(uint32_t file, uint32_t line) const {
  const Source* source = find(file);
  int64_t number = line;
  if (source && source->original != 0) {
    number += source->shift;
    source = find(source->original);
  }
  if (!source || number < 1) return {};

  const std::string& text = source->text;
  std::vector<std::size_t>& starts = source->line_starts;
  if (starts.empty()) {
    starts.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool ends =
          text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
      if (ends) starts.push_back(i + 1);
    }
  }
  const auto index = static_cast<uint64_t>(number - 1);
  if (index >= starts.size()) return {};
  // Not searched for from the start: one long line may have a great many messages.
  const std::size_t begin = starts[index];
  std::size_t end = index + 1 < starts.size() ? starts[index + 1] : text.size();
  while (end > begin && (text[end - 1] == '\n' || text[end - 1] == '\r')) --end;
  return std::string_view(text).substr(begin, end - begin);
}

uint32_t Sources::add_pieces(std::vector<Piece> pieces) {
  pieces_.push_back(std::move(pieces));
  return kFirstPieces + static_cast<uint32_t>(pieces_.size() - 1);
}

SourceLocation Sources::resolve(SourceLocation where) const {
  if (where.file < kFirstPieces || where.file - kFirstPieces >= pieces_.size()) return where;
  const std::vector<Piece>& pieces = pieces_[where.file - kFirstPieces];
  const auto behind = std::upper_bound(
      pieces.begin(), pieces.end(), where, [](const SourceLocation& at, const Piece& piece) {
        return at.line != piece.line ? at.line < piece.line : at.column < piece.column;
      });
  if (behind == pieces.begin()) return {};
  const Piece& piece = *(behind - 1);
  SourceLocation origin = piece.origin;
  if (piece.copied) {
    // Only the first line of a piece is shifted sideways.
    origin.column =
        where.line == piece.line ? origin.column + (where.column - piece.column) : where.column;
    origin.line += where.line - piece.line;
  }
  return origin;
}

uint32_t Sources::add_expansion(SourceLocation where, std::string name) {
  expansions_.push_back({where, std::move(name)});
  return static_cast<uint32_t>(expansions_.size());
}

const Sources::Expansion* Sources::expansion(uint32_t index) const {
  return index == 0 || index > expansions_.size() ? nullptr : &expansions_[index - 1];
}

// --- collecting ---

void Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.context.empty()) {
    diagnostic.context = context_;
    if (!diagnostic.context_where.known()) diagnostic.context_where = context_where_;
  }
  diagnostic.where = sources_.resolve(diagnostic.where);
  diagnostic.context_where = sources_.resolve(diagnostic.context_where);
  diagnostic.hint_where = sources_.resolve(diagnostic.hint_where);
  if (diagnostic.severity == Severity::error) ++errors_;
  all_.push_back(std::move(diagnostic));
}

void Diagnostics::error(SourceLocation where, std::string message, std::string hint,
                        SourceLocation hint_where) {
  add({Severity::error, where, {}, std::move(message), std::move(hint), {}, hint_where});
}

void Diagnostics::warning(SourceLocation where, std::string message, std::string hint) {
  add({Severity::warning, where, {}, std::move(message), std::move(hint)});
}

void Diagnostics::note(SourceLocation where, std::string message) {
  add({Severity::note, where, {}, std::move(message), {}});
}

Diagnostics::Context::Context(Diagnostics& diagnostics, std::string text, SourceLocation where)
    : diagnostics_(diagnostics),
      outer_(std::exchange(diagnostics.context_, std::move(text))),
      outer_where_(std::exchange(diagnostics.context_where_, where)) {}

Diagnostics::Context::~Context() {
  diagnostics_.context_ = std::move(outer_);
  diagnostics_.context_where_ = outer_where_;
}

// --- rendering ---

std::string Diagnostics::landmark(SourceLocation where) const {
  where = sources_.resolve(where);
  if (!where.known()) return {};
  std::string text = sources_.name(where.file);
  if (where.line != 0) text += ':' + std::to_string(where.line);
  return text;
}

namespace {

// The longest piece of a source line that is shown; more would bury the message.
constexpr std::size_t kLineWindow = 160;

struct Colours {
  const char* bold = "";
  const char* error = "";
  const char* warning = "";
  const char* note = "";
  const char* mark = "";
  const char* off = "";
};
constexpr Colours kNoColours{};
constexpr Colours kAnsiColours{"\033[1m",    "\033[1;31m", "\033[1;35m",
                               "\033[1;36m", "\033[1;32m", "\033[0m"};

template <class Function>
void for_each_line(std::string_view text, Function&& function) {
  for (;;) {
    const std::size_t end = text.find('\n');
    function(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

bool continues_utf8(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The source line behind a gutter, and a caret below the column.
void append_excerpt(std::string& out, std::string_view line, SourceLocation where,
                    const Colours& colours) {
  const std::size_t column =
      std::min<std::size_t>(where.column ? where.column - 1 : 0, line.size());
  std::size_t begin = 0;
  std::size_t end = line.size();
  if (line.size() > kLineWindow) {
    begin = column > kLineWindow / 2 ? column - kLineWindow / 2 : 0;
    end = std::min(begin + kLineWindow, line.size());
    while (begin < column && continues_utf8(line[begin])) ++begin;
    while (end > column && end < line.size() && continues_utf8(line[end])) --end;
  }

  std::string shown = begin > 0 ? "..." : "";
  std::string caret = begin > 0 ? "   " : "";
  for (std::size_t i = begin; i < end; ++i) {
    const char c = line[i];
    // A control character of the source must not control the terminal.
    const bool control = (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 0x7F;
    shown += control ? '?' : c;
    if (i < column && !continues_utf8(c)) caret += c == '\t' ? '\t' : ' ';
  }
  if (end < line.size()) shown += "...";

  std::string number = std::to_string(where.line);
  number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
  out += number + " | " + shown + '\n';
  if (where.column == 0) return;
  out.append(number.size(), ' ');
  out += " | " + caret + colours.mark + '^' + colours.off + '\n';
}

void append_plain(std::string& out, const Diagnostic& diagnostic, const std::string& landmark) {
  std::string prefix;
  if (!diagnostic.context.empty()) {
    prefix = "  ";
  } else if (!landmark.empty()) {
    prefix = landmark + ": ";
  }
  if (diagnostic.severity == Severity::warning) prefix += "warning: ";
  for_each_line(diagnostic.message, [&](std::string_view line) {
    out += prefix;
    out += line;
    out += '\n';
  });
}

// The uses of definitions through which a place came to be, the innermost first.
void append_expansions(std::string& out, SourceLocation where, const Diagnostics& diagnostics,
                       const Colours& colours) {
  while (const Sources::Expansion* expansion = diagnostics.sources().expansion(where.expansion)) {
    where = diagnostics.sources().resolve(expansion->where);
    out += colours.bold + diagnostics.landmark(where);
    if (where.column != 0) out += ':' + std::to_string(where.column);
    out += std::string(": ") + colours.off + colours.note + "note: " + colours.off +
           "expanded from here, as '" + expansion->name + "'\n";
    const std::string_view line = diagnostics.sources().line(where.file, where.line);
    if (!line.empty()) append_excerpt(out, line, where, colours);
  }
}

void append_full(std::string& out, const Diagnostic& diagnostic, const Diagnostics& diagnostics,
                 const Colours& colours) {
  const SourceLocation where =
      diagnostic.where.known() ? diagnostic.where : diagnostic.context_where;
  std::string place = diagnostics.landmark(where);
  if (!place.empty()) {
    if (where.line != 0 && where.column != 0) place += ':' + std::to_string(where.column);
    out += colours.bold + place + ": " + colours.off;
  }
  switch (diagnostic.severity) {
    case Severity::error:
      out += std::string(colours.error) + "error: " + colours.off;
      break;
    case Severity::warning:
      out += std::string(colours.warning) + "warning: " + colours.off;
      break;
    case Severity::note:
      out += std::string(colours.note) + "note: " + colours.off;
      break;
  }
  out += diagnostic.message;
  out += '\n';
  const std::string_view line = diagnostics.sources().line(where.file, where.line);
  if (!line.empty()) append_excerpt(out, line, where, colours);
  if (!diagnostic.hint.empty()) {
    for_each_line(diagnostic.hint, [&](std::string_view text) {
      out += std::string(colours.mark) + "hint: " + colours.off;
      out += text;
      out += '\n';
    });
    const SourceLocation about = diagnostic.hint_where;
    const std::string_view shown = diagnostics.sources().line(about.file, about.line);
    if (!shown.empty()) append_excerpt(out, shown, about, colours);
  }
  append_expansions(out, where, diagnostics, colours);
}

}  // namespace

std::string Diagnostics::render(Form form, bool color, std::size_t first) const {
  const Colours& colours = color && form == Form::full ? kAnsiColours : kNoColours;
  std::string out;
  const Diagnostic* before = nullptr;
  for (std::size_t i = first; i < all_.size(); ++i) {
    const Diagnostic& diagnostic = all_[i];
    const bool same_context = before && before->context == diagnostic.context;
    if (!diagnostic.context.empty() && !same_context) {
      const std::string place =
          landmark(diagnostic.context_where.known() ? diagnostic.context_where : diagnostic.where);
      // The full form gives every message its own place, so the context stands alone there.
      if (form == Form::plain && !place.empty()) out += place + ": ";
      out += diagnostic.context + '\n';
    }
    before = &diagnostic;
    if (form == Form::plain) {
      append_plain(out, diagnostic, landmark(diagnostic.where));
    } else {
      append_full(out, diagnostic, *this, colours);
    }
  }
  return out;
}

}  // namespace headroom
