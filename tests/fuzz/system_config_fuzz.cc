// The system configuration: YAML up to the first NUL byte, then overrides as --set takes them, one
// a line.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "headroom/runtime/system_config.hh"

namespace {

using namespace headroom;  // NOLINT: a program of one file

void check(bool good) {
  if (!good) std::abort();
}

void check_config(const SystemConfig& config) {
  std::set<std::string_view> names;
  for (const SystemConfig::Port& port : config.ports) {
    check(!port.name.empty() && names.insert(port.name).second);
    check(int{port.vdev.empty()} + int{port.pci.empty()} + int{port.interface.empty()} == 2);
    check(port.mtu == 0 || (port.mtu >= 68 && port.mtu <= 65535));
    check(config.find_port(port.name) == &port);
  }
  check(config.workers.count >= 1);
  check(config.workers.cores.empty() || config.workers.cores.size() == config.workers.count);
  check(config.workers.io_batch_size >= 1 && config.workers.io_batch_size <= 256);
  check(config.pools.cache <= 512);
}

void render(const Diagnostics& diagnostics) {
  diagnostics.render(Diagnostics::Form::plain);
  diagnostics.render(Diagnostics::Form::full, true);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t yaml = std::min(text.find('\0'), text.size());

  Diagnostics diagnostics;
  const uint32_t file = diagnostics.sources().add("system.yaml", std::string(text.substr(0, yaml)));
  SystemConfig config = read_system_config(file, diagnostics);
  render(diagnostics);
  if (!diagnostics.ok()) config = default_system_config();
  check_config(config);

  text.remove_prefix(std::min(yaml + 1, text.size()));
  for (int overrides = 0; !text.empty() && overrides < 16; ++overrides) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    apply_override(config, text.substr(0, end), diagnostics);
    // One that is wrong changes nothing, so the configuration is always right.
    check_config(config);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  render(diagnostics);
  return 0;
}
