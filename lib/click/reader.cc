#include "headroom/click/reader.hh"

#include "headroom/click/flatten.hh"
#include "headroom/click/parser.hh"

namespace headroom::click {

FlatGraph read(uint32_t file, ReaderEnvironment& environment, Diagnostics& diagnostics) {
  return flatten(parse(file, diagnostics), environment, diagnostics);
}

}  // namespace headroom::click
