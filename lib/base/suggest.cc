#include "headroom/base/suggest.hh"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace headroom {
namespace {

// Costs are counted in halves of an edit, because a difference of case costs half.
constexpr std::size_t kEdit = 2;
constexpr std::size_t kCase = 1;
// Longer words are no typing mistakes, and comparing them takes time.
constexpr std::size_t kLongest = 100;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::size_t replace_cost(char a, char b) {
  if (a == b) return 0;
  return lower(a) == lower(b) ? kCase : kEdit;
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

// The distance of two words that are compared again and again; keeps its rows.
class Distance {
 public:
  // A value above `limit` means only that: above the limit.
  std::size_t operator()(std::string_view a, std::string_view b, std::size_t limit) {
    const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    if (difference * kEdit > limit) return limit + 1;
    if (same_but_for_case(a, b)) return a == b ? 0 : kCase;

    before_.assign(b.size() + 1, 0);
    above_.resize(b.size() + 1);
    row_.resize(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) above_[j] = j * kEdit;
    for (std::size_t i = 1; i <= a.size(); ++i) {
      row_[0] = i * kEdit;
      std::size_t least = row_[0];
      for (std::size_t j = 1; j <= b.size(); ++j) {
        std::size_t best = above_[j - 1] + replace_cost(a[i - 1], b[j - 1]);
        best = std::min({best, above_[j] + kEdit, row_[j - 1] + kEdit});
        if (i > 1 && j > 1) {
          const std::size_t swapped =
              replace_cost(a[i - 1], b[j - 2]) + replace_cost(a[i - 2], b[j - 1]);
          if (swapped <= kCase) best = std::min(best, before_[j - 2] + kEdit + swapped);
        }
        row_[j] = best;
        least = std::min(least, best);
      }
      // A transposition can reach back two rows, but it costs an edit on top of what it starts
      // from.
      if (least > limit + kEdit) return limit + 1;
      std::swap(before_, above_);
      std::swap(above_, row_);
    }
    return above_[b.size()];
  }

 private:
  std::vector<std::size_t> before_, above_, row_;
};

}  // namespace

std::string_view nearest(std::string_view typed, std::span<const std::string_view> candidates) {
  if (typed.empty() || typed.size() > kLongest) return {};
  std::size_t limit = (typed.size() * kEdit + 1) / 3;
  std::string_view found;
  Distance distance;
  for (std::string_view candidate : candidates) {
    if (candidate.empty()) continue;
    const std::size_t cost = distance(typed, candidate, limit);
    if (cost > limit) continue;
    found = candidate;
    if (cost == 0) break;
    limit = cost - 1;  // from now on only what is nearer
  }
  return found;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string_view> candidates) {
  const std::string_view name = nearest(typed, candidates);
  if (name.empty()) return {};
  return "did you mean '" + std::string(name) + "'?";
}

}  // namespace headroom
