// Handlers: named values of an element that are read and written while it runs.
//
// They run on the worker that owns the element, between batches, so they may touch everything that
// process() touches. A handler is a member of its element:
//
//   Count count{*this, "count", "Packets that passed."};
//   WriteHandler reset{*this, "reset", "Sets the count to zero.",
//                      [this](std::string_view, std::string&) { count.set(0); return true; }};
//
// An argument that may change while the router runs has one without further ado: see
// ArgOptions::live.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headroom/graph/cell.hh"

namespace headroom {

class Element;

// How the values of an element's replicas on several workers become one.
enum class Merge : uint8_t { first, sum, max, concatenate };

// Whether what is written goes to every replica, or to any one because it changes what they share.
enum class WriteTo : uint8_t { every, one };

struct Handler {
  std::string name;
  std::string_view doc;
  Merge merge = Merge::first;
  std::function<std::string()> read;  // empty when it cannot be read
  // Empty when it cannot be written. Returns false with a text in `error` when the value is
  // refused.
  std::function<bool(std::string_view value, std::string& error)> write;
  // In the place of `read`, for one that is read with parameters ("lookup 10.0.0.1"). Returns
  // nothing with a text in `error` when they make no sense.
  std::function<std::optional<std::string>(std::string_view parameters, std::string& error)> query;
  WriteTo write_to = WriteTo::every;

  bool readable() const { return read || query; }
  // What `handlers` shows: "r", "w", "rw", and "+" behind it when it takes parameters.
  std::string flags() const;
};

// One value from the values of all replicas. Numbers may be negative or have a fraction; of what
// are not numbers the first is taken instead of a sum or maximum.
std::string merge_values(Merge merge, const std::vector<std::string>& values);

class ReadHandler {
 public:
  ReadHandler(Element& owner, std::string_view name, std::string_view doc,
              std::function<std::string()> read, Merge merge = Merge::first);
};

class QueryHandler {
 public:
  QueryHandler(Element& owner, std::string_view name, std::string_view doc,
               std::function<std::optional<std::string>(std::string_view, std::string&)> query,
               Merge merge = Merge::first);
};

class WriteHandler {
 public:
  WriteHandler(Element& owner, std::string_view name, std::string_view doc,
               std::function<bool(std::string_view, std::string&)> write,
               WriteTo write_to = WriteTo::every);
};

// A counter with a read handler; replicas are summed.
class Count : public Cell {
 public:
  Count(Element& owner, std::string_view name, std::string_view doc);
};

}  // namespace headroom
