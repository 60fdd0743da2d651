#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "headroom/click/arguments.hh"
#include "headroom/click/scan.hh"
#include "headroom/graph/element.hh"

namespace headroom {

// Eight bytes of a packet compared with a value under a mask.
struct ClassifierWord {
  uint64_t mask = 0;
  uint64_t value = 0;
  uint32_t offset = 0;
  uint32_t end = 0;  // so many bytes a packet must have; those behind are not compared

  friend bool operator==(const ClassifierWord&, const ClassifierWord&) = default;
};

// The bytes that clauses compare, by offset: value and mask.
class ClassifierBytes {
 public:
  // False when the byte would have to have two different values.
  bool add(uint32_t offset, uint8_t value, uint8_t mask) {
    if (mask == 0) return true;
    auto [entry, is_new] = bytes_.try_emplace(offset, Byte{0, 0});
    Byte& byte = entry->second;
    if (((byte.value ^ value) & byte.mask & mask) != 0) return false;
    byte.value |= value & mask;
    byte.mask |= mask;
    return true;
  }

  // The comparisons that these bytes take. Each ends with the last byte that it needs, so that
  // reading eight bytes does not read past the end of a packet that has them.
  std::vector<ClassifierWord> words() const {
    std::vector<ClassifierWord> words;
    for (auto at = bytes_.begin(); at != bytes_.end();) {
      const auto stop = bytes_.lower_bound(at->first + 8);
      ClassifierWord word;
      word.end = std::prev(stop)->first + 1;
      word.offset = word.end < 8 ? 0 : word.end - 8;
      uint8_t mask[8] = {};
      uint8_t value[8] = {};
      for (; at != stop; ++at) {
        mask[at->first - word.offset] = at->second.mask;
        value[at->first - word.offset] = at->second.value;
      }
      std::memcpy(&word.mask, mask, sizeof mask);
      std::memcpy(&word.value, value, sizeof value);
      words.push_back(word);
    }
    return words;
  }

 private:
  struct Byte {
    uint8_t value;
    uint8_t mask;
  };
  std::map<uint32_t, Byte> bytes_;
};

struct ClassifierPattern {
  std::vector<ClassifierWord> words;                 // all must match
  std::vector<std::vector<ClassifierWord>> negated;  // of each, one must not match
  bool impossible = false;                           // its clauses contradict each other

  bool has(const ClassifierWord& word) const {
    return std::find(words.begin(), words.end(), word) != words.end();
  }
};

// Reads one pattern. Nothing, with a text in `error`, when it is not one.
class ClassifierParser {
 public:
  explicit ClassifierParser(std::string_view text) : text_(text) {}

  std::optional<ClassifierPattern> parse(std::string& error) {
    ClassifierPattern pattern;
    if (text_ == "-") return pattern;
    ClassifierBytes all;
    do {
      bool negated = false;
      while (peek() == '!' || click::scan::is_space(peek())) negated ^= text_[at_++] == '!';
      ClassifierBytes own;
      if (!parse_clause(negated ? own : all, pattern, error)) return std::nullopt;
      if (negated) pattern.negated.push_back(own.words());
      if (at_ < text_.size() && !click::scan::is_space(peek())) {
        error = "expected a blank between clauses, not '" + std::string(1, peek()) + "'";
        return std::nullopt;
      }
      while (click::scan::is_space(peek())) ++at_;
    } while (at_ < text_.size());
    pattern.words = all.words();
    return pattern;
  }

 private:
  static constexpr uint32_t kMaxOffset = 65535;

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool parse_clause(ClassifierBytes& bytes, ClassifierPattern& pattern, std::string& error) {
    uint32_t offset = 0;
    if (peek() < '0' || peek() > '9') return fail(error, "expected a digit");
    for (; peek() >= '0' && peek() <= '9'; ++at_) {
      offset = offset * 10 + static_cast<uint32_t>(peek() - '0');
      if (offset > kMaxOffset)
        return fail(error, "offset out of range, bound " + std::to_string(kMaxOffset));
    }
    if (peek() != '/') return fail(error, "expected '/' behind the offset");
    ++at_;
    const std::string_view value = digits(true);
    if (value.size() < 2) return fail(error, "value has less than 2 hex digits");
    if (value.size() % 2 != 0) return fail(error, "value has an odd number of hex digits");
    std::string_view mask;
    if (peek() == '%') {
      ++at_;
      mask = digits(false);
      if (mask.size() != value.size())
        return fail(error, "mask has " + std::to_string(mask.size()) + " hex digits, value has " +
                               std::to_string(value.size()));
    }
    for (std::size_t i = 0; i < value.size(); i += 2, ++offset) {
      uint32_t want = 0;
      uint32_t bits = 0;
      for (std::size_t j = i; j < i + 2; ++j) {
        const bool any = value[j] == '?';
        want = want << 4 | static_cast<uint32_t>(any ? 0 : click::scan::hex_digit(value[j]));
        const int masked = mask.empty() ? 15 : click::scan::hex_digit(mask[j]);
        bits = bits << 4 | static_cast<uint32_t>(any ? 0 : masked);
      }
      if (!bytes.add(offset, static_cast<uint8_t>(want), static_cast<uint8_t>(bits)))
        pattern.impossible = true;
    }
    return true;
  }

  std::string_view digits(bool any_allowed) {
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (click::scan::hex_digit(text_[at_]) >= 0 || (any_allowed && text_[at_] == '?')))
      ++at_;
    return text_.substr(start, at_ - start);
  }

  static bool fail(std::string& error, std::string text) {
    error = std::move(text);
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// The patterns as a decision graph. What a comparison has shown on the way is not asked again.
class ClassifierProgram {
 public:
  // What a comparison or a result is called: steps count from 0, results are ~output.
  using Target = int32_t;
  struct Step {
    ClassifierWord word;
    Target yes = 0;
    Target no = 0;
  };

  void compile(std::span<const ClassifierPattern> patterns) {
    steps_.clear();
    patterns_ = patterns;
    entries_.assign(patterns.size() + 1, {});
    entries_.back() = {result(patterns.size())};
    // Later patterns first, because earlier ones go on to them.
    for (std::size_t i = patterns.size(); i-- > 0;) compile_one(i);
    start_ = next_pattern(0, {}, nullptr);
    safe_length_ = 8;
    for (const Step& step : steps_) safe_length_ = std::max(safe_length_, step.word.offset + 8);
    patterns_ = {};
  }

  // So many bytes make run() safe.
  uint32_t safe_length() const { return safe_length_; }

  uint32_t run(const uint8_t* bytes) const {
    return run(bytes, [](const ClassifierWord&) { return true; });
  }
  // Of a packet of this length; as many of its bytes as matter, and at least eight, are at `bytes`.
  uint32_t run(const uint8_t* bytes, uint32_t length) const {
    return run(bytes, [length](const ClassifierWord& word) { return word.end <= length; });
  }

  std::string text() const {
    std::string text;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Step& step = steps_[steps_.size() - 1 - i];
      char line[64];
      std::snprintf(line, sizeof line, "%2zu %3u/", i, step.word.offset);
      text += line + hex(step.word.value) + "%" + hex(step.word.mask) + "  yes->" +
              target_text(step.yes) + "  no->" + target_text(step.no) + "\n";
    }
    return steps_.empty() ? "all->" + target_text(start_) + "\n" : text;
  }

 private:
  template <class Readable>
  uint32_t run(const uint8_t* bytes, Readable readable) const {
    const Step* const steps = steps_.data();
    Target at = start_;
    while (at >= 0) {
      const Step& step = steps[at];
      uint64_t word = 0;
      bool matches = false;
      if (readable(step.word)) {
        std::memcpy(&word, bytes + step.word.offset, sizeof word);
        matches = (word & step.word.mask) == step.word.value;
      }
      at = matches ? step.yes : step.no;
    }
    return static_cast<uint32_t>(~at);
  }

  static Target result(std::size_t output) { return ~static_cast<Target>(output); }

  Target add(const ClassifierWord& word, Target yes, Target no) {
    steps_.push_back({word, yes, no});
    return static_cast<Target>(steps_.size() - 1);
  }

  // Back to front. entries_[i][j] is where pattern i goes on when its words before j have matched.
  void compile_one(std::size_t i) {
    const ClassifierPattern& pattern = patterns_[i];
    const std::span<const ClassifierWord> words = pattern.words;
    Target next = result(i);
    const Target failed = next_pattern(i + 1, words, nullptr);
    for (auto clause = pattern.negated.rbegin(); clause != pattern.negated.rend(); ++clause) {
      Target matched = failed;
      for (auto word = clause->rbegin(); word != clause->rend(); ++word)
        matched = add(*word, matched, next);
      next = matched;
    }
    std::vector<Target>& entry = entries_[i];
    entry.assign(words.size() + 1, next);
    for (std::size_t j = words.size(); j-- > 0;)
      entry[j] = add(words[j], entry[j + 1], next_pattern(i + 1, words.first(j), &words[j]));
  }

  // Where to go on with the patterns from `first` on, knowing words that match and one that does
  // not.
  Target next_pattern(std::size_t first, std::span<const ClassifierWord> matched,
                      const ClassifierWord* unmatched) const {
    for (std::size_t i = first; i < patterns_.size(); ++i) {
      const ClassifierPattern& pattern = patterns_[i];
      if (pattern.impossible || (unmatched != nullptr && pattern.has(*unmatched))) continue;
      const bool excluded = std::any_of(matched.begin(), matched.end(), [&](const auto& known) {
        return std::any_of(pattern.words.begin(), pattern.words.end(),
                           [&](const ClassifierWord& word) {
                             return word.offset == known.offset && word.end == known.end &&
                                    ((word.value ^ known.value) & word.mask & known.mask) != 0;
                           });
      });
      if (excluded) continue;
      std::size_t done = 0;
      while (done < pattern.words.size() &&
             std::find(matched.begin(), matched.end(), pattern.words[done]) != matched.end())
        ++done;
      return entries_[i][done];
    }
    return entries_.back()[0];
  }

  static std::string hex(uint64_t word) {
    uint8_t bytes[8];
    std::memcpy(bytes, &word, sizeof bytes);
    std::string text;
    for (const uint8_t byte : bytes) {
      text += "0123456789abcdef"[byte >> 4];
      text += "0123456789abcdef"[byte & 15];
    }
    return text;
  }
  std::string target_text(Target target) const {
    if (target >= 0)
      return "step " + std::to_string(steps_.size() - 1 - static_cast<unsigned>(target));
    if (static_cast<std::size_t>(~target) == entries_.size() - 1) return "[X]";
    return "[" + std::to_string(~target) + "]";
  }

  std::vector<Step> steps_;
  Target start_ = 0;
  uint32_t safe_length_ = 8;
  std::span<const ClassifierPattern> patterns_;  // while compiling
  std::vector<std::vector<Target>> entries_;
};

class Classifier final : public PacketElement<Classifier> {
 public:
  static constexpr ElementSpec spec{
      .name = "Classifier",
      .ports = "1/1-",
      .processing = "h/h",
      .doc =
          "Sends every packet to the output of the first pattern that it matches. A pattern is "
          "clauses OFFSET/HEX or OFFSET/HEX%MASK with blanks between them, which must all match; "
          "OFFSET is decimal and counts bytes from the front, a ? in HEX is any digit, and MASK "
          "says in as many digits as HEX which bits count. A clause with ! before it must not "
          "match. The pattern - is every packet. A clause does not match where the packet has "
          "already ended."};

  ArgList<click::RawText> patterns{*this, "PATTERN", {.doc = "One pattern for each output."}};

  Drop no_match{*this, "no-match", "It matches no pattern."};
  ReadHandler program_text{*this, "program", "The comparisons made, and where each goes on.",
                           [this] { return program_.text(); }};

  bool configure(SetupContext& context) override {
    std::vector<ClassifierPattern> parsed;
    bool ok = true;
    for (std::size_t i = 0; i < patterns->size(); ++i) {
      std::string error;
      auto pattern = ClassifierParser((*patterns)[i].text).parse(error);
      const std::string label = "pattern " + std::to_string(i) + ": ";
      if (!pattern) {
        ok = context.error(patterns, i, label + error);
        continue;
      }
      if (pattern->impossible)
        context.warning(patterns, i, label + "matches no packets: it contradicts itself");
      parsed.push_back(std::move(*pattern));
    }
    if (patterns->size() != noutputs())
      ok = context.error(std::to_string(noutputs()) + " outputs, but " +
                         std::to_string(patterns->size()) + " patterns: it needs one for each");
    if (ok) program_.compile(parsed);
    start_.resize(program_.safe_length());
    return ok;
  }

  Verdict process(Packet& packet) {
    const uint32_t output = packet.contiguous() >= program_.safe_length()
                                ? program_.run(packet.data())
                                : classify_short(packet);
    if (output >= noutputs()) [[unlikely]]
      return no_match;
    return to(output);
  }

 private:
  // Packets that end, or whose first segment ends, before all that could be compared.
  [[gnu::noinline]] uint32_t classify_short(const Packet& packet) {
    const uint32_t length = packet.length();
    if (!packet.chained() && length >= 8) return program_.run(packet.data(), length);
    packet.copy_out(0, start_.data(), std::min(length, program_.safe_length()));
    return program_.run(start_.data(), length);
  }

  ClassifierProgram program_;
  std::vector<uint8_t> start_;
};

HEADROOM_ELEMENT(Classifier);

}  // namespace headroom
