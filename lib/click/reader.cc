#include "headroom/click/reader.hh"

#include "headroom/click/expand.hh"
#include "headroom/click/program.hh"
#include "headroom/click/resolve.hh"

namespace headroom::click {

FlatGraph read(uint32_t file, ReaderEnvironment& environment, Diagnostics& diagnostics,
               const ReadOptions& options) {
  const std::size_t errors = diagnostics.errors();
  Program program;
  resolve(file, program, environment, diagnostics, options);
  if (diagnostics.errors() != errors) return {};
  return expand(program, diagnostics, options);
}

}  // namespace headroom::click
