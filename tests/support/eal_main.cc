// main() of test programs that need packets: starts EAL once, without hugepages, NICs or shared
// files.
#include <gmock/gmock.h>
#include <rte_eal.h>

#include <iterator>

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  const char* eal[] = {"test",        "--no-huge",      "-m", "512", "--no-pci",
                       "--no-shconf", "--iova-mode=va", "-l", "0",   "--no-telemetry",
                       "--log-level", "lib.eal:error"};
  if (rte_eal_init(static_cast<int>(std::size(eal)), const_cast<char**>(eal)) < 0) {
    std::fprintf(stderr, "EAL does not start\n");
    return 1;
  }
  const int status = RUN_ALL_TESTS();
  rte_eal_cleanup();
  return status;
}
