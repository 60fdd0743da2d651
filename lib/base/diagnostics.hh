// What a user did wrong, collected and shown.
//
// Everything that reads a person's input reports here and goes on, so that all mistakes of a file
// are shown at once. A message keeps its place (file, line, column), the element it belongs to, and
// a hint (the nearest valid name, the remedy). Two forms are rendered: `plain`, Click's one line a
// message, for scripts, and `full`, with the source line and a caret, for people.
//
//   Diagnostics diagnostics;
//   auto file = diagnostics.sources().add("router.click", text);
//   diagnostics.error({file, 3, 14}, "unknown element class 'Discrad'", did_you_mean("Discrad",
//   names)); if (!diagnostics.ok()) std::cerr << diagnostics.render(Diagnostics::Form::full);
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// A place in a source. Lines and columns count from 1, columns in bytes; 0 is unknown.
struct SourceLocation {
  uint32_t file = 0;  // an index from Sources::add; 0 is no file at all
  uint32_t line = 0;
  uint32_t column = 0;
  // Of which use of a definition this is: one place of a definition becomes many elements. An index
  // from Sources::add_expansion, or 0.
  uint32_t expansion = 0;

  bool known() const { return file != 0; }
  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

// The names and texts of everything that was read.
class Sources {
 public:
  // Remembers a text under the name that messages show; returns the index for SourceLocation::file.
  uint32_t add(std::string name, std::string text);
  // Another name for lines of `original`, as a line directive gives: line L of the alias is line
  // L + shift of the original. Without an original there is no source line to show.
  uint32_t add_alias(std::string name, uint32_t original = 0, int64_t shift = 0);

  // A stretch of a text that was put together from others. What was copied has a place of its own
  // for every byte; what was put in (the value of a variable) has one for all.
  struct Piece {
    uint32_t line = 1;  // where it begins in the text that was made
    uint32_t column = 1;
    SourceLocation origin;
    bool copied = true;
  };
  // Places in a text made of these pieces, in order, the first of which begins it, count for the
  // places they came from: every message goes by resolve().
  uint32_t add_pieces(std::vector<Piece> pieces);
  SourceLocation resolve(SourceLocation where) const;

  // A use of a definition, for SourceLocation::expansion: where it is used, itself perhaps inside
  // another expansion, and what messages call it.
  uint32_t add_expansion(SourceLocation where, std::string name);
  struct Expansion {
    SourceLocation where;
    std::string name;
  };
  // Null for 0.
  const Expansion* expansion(uint32_t index) const;

  // References stay valid while others are added.
  const std::string& name(uint32_t file) const;
  const std::string& text(uint32_t file) const;
  // The line without its end, empty when there is none. Lines end in LF, CR or CR LF.
  std::string_view line(uint32_t file, uint32_t line) const;

 private:
  struct Source {
    std::string name;
    std::string text;
    uint32_t original = 0;  // of an alias
    int64_t shift = 0;
    mutable std::vector<std::size_t> line_starts;  // made at the first use
  };
  const Source* find(uint32_t file) const;

  // Indices from here on are texts made of pieces.
  static constexpr uint32_t kFirstPieces = uint32_t{1} << 31;

  std::deque<Source> sources_;  // a deque, so that texts stay where they are
  std::vector<std::vector<Piece>> pieces_;
  std::vector<Expansion> expansions_;
};

enum class Severity : uint8_t { error, warning, note };

struct Diagnostic {
  Severity severity = Severity::error;
  SourceLocation where;
  std::string context;  // "While configuring 'q :: Queue':", or empty
  std::string message;
  std::string hint;  // "did you mean 'Queue'?", a remedy, or empty; shown in the full form only
  SourceLocation context_where = {};  // the landmark of the context; else the first message's place
  SourceLocation hint_where = {};     // what the hint speaks of, to be shown below it
};

class Diagnostics {
 public:
  enum class Form : uint8_t { plain, full };

  // Takes the context in force unless the diagnostic has its own.
  void add(Diagnostic diagnostic);
  void error(SourceLocation where, std::string message, std::string hint = {},
             SourceLocation hint_where = {});
  void warning(SourceLocation where, std::string message, std::string hint = {});
  // A further line to the error before it ("previously declared here").
  void note(SourceLocation where, std::string message);

  // Sets the context of what is added while it lives; nests by replacing. `where` is the place that
  // the plain form shows before it.
  class Context {
   public:
    Context(Diagnostics& diagnostics, std::string text, SourceLocation where = {});
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

   private:
    Diagnostics& diagnostics_;
    std::string outer_;
    SourceLocation outer_where_;
  };

  bool ok() const { return errors_ == 0; }
  std::size_t errors() const { return errors_; }
  const std::vector<Diagnostic>& all() const { return all_; }

  Sources& sources() { return sources_; }
  const Sources& sources() const { return sources_; }

  // "FILE:LINE", as Click prints it, or "" when the place is unknown.
  std::string landmark(SourceLocation where) const;
  // Everything so far from the `first` on, in order, ready to print. With `color`, ANSI colours in
  // the full form.
  std::string render(Form form, bool color = false, std::size_t first = 0) const;

 private:
  friend class Context;
  Sources sources_;
  std::vector<Diagnostic> all_;
  std::string context_;
  SourceLocation context_where_;
  std::size_t errors_ = 0;
};

}  // namespace headroom
