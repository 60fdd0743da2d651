# headroom_dpdk: Debian's shared DPDK, as SYSTEM headers.
#
# libdpdk's pkg-config puts -march=corei7 on the command line, and of several -march the last one wins:
# a build that takes it compiles every inline header for SSE4.2. It is stripped here, and
# tests/integration/build_flags_test.py checks that it stays away.

pkg_check_modules(DPDK REQUIRED libdpdk>=22.11)
list(FILTER DPDK_CFLAGS_OTHER EXCLUDE REGEX "^-march=")

add_library(headroom_dpdk INTERFACE)
target_include_directories(headroom_dpdk SYSTEM INTERFACE ${DPDK_INCLUDE_DIRS})
target_compile_options(headroom_dpdk INTERFACE "SHELL:-include rte_config.h")
target_compile_definitions(headroom_dpdk INTERFACE ALLOW_EXPERIMENTAL_API)
target_link_directories(headroom_dpdk INTERFACE ${DPDK_LIBRARY_DIRS})
target_link_libraries(headroom_dpdk INTERFACE ${DPDK_LIBRARIES})
