// What require() asks for: which packages are part of any router, and where libraries are found.
//
//   if (is_builtin_package("tcpudp")) ...
//   std::string path;
//   std::optional<std::string> text = load_library("lib.click", "dir/router.click", options, path);
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "headroom/click/reader.hh"

namespace headroom::click {

// The names by which configurations written for Click ask for what Click has built in. They load
// nothing here; an element class that does not exist is reported where it is used.
bool is_builtin_package(std::string_view name);

// The text of a library and the path under which it was found. `including` is the name of the file
// that requires it.
std::optional<std::string> load_library(const std::string& name, const std::string& including,
                                        const ReadOptions& options, std::string& path);

// Where libraries were looked for, for a message.
std::string places_of_libraries(const ReadOptions& options);

// What makes two paths the same file.
std::string library_identity(const std::string& path);

}  // namespace headroom::click
