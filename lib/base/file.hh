// Reading a whole file.
#pragma once

#include <optional>
#include <string>

namespace headroom {

// The contents, or nothing with "PATH: reason" in `error`.
std::optional<std::string> read_file(const std::string& path, std::string& error);

}  // namespace headroom
