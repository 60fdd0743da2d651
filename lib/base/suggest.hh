// "Did you mean": the nearest of the valid names to what a person typed.
//
// For every message about a name that is not known; the result goes into the message's hint.
//
//   std::vector<std::string_view> names{"Discard", "Queue"};
//   did_you_mean("Discrad", names)   // "did you mean 'Discard'?"
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headroom {

// The candidate nearest to `typed` by edit distance (insert, delete, replace, transpose; a
// difference of case costs half, and never more than that when there is no other), or empty when
// none is near enough to be meant: about one edit for every three letters. Ties go to the first
// candidate.
std::string_view nearest(std::string_view typed, std::span<const std::string_view> candidates);

// "did you mean 'Queue'?", or empty.
std::string did_you_mean(std::string_view typed, std::span<const std::string_view> candidates);

}  // namespace headroom
