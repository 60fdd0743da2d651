# Compile options of every Headroom target, in the tree and out of it.
#
# headroom_options carries what an element outside the tree needs as well (it is installed);
# headroom_warnings is for our own sources only.

find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(Boost REQUIRED COMPONENTS program_options)
find_package(nlohmann_json REQUIRED)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_library(headroom_options INTERFACE)
target_compile_features(headroom_options INTERFACE cxx_std_20)
# Packets are read through several header types, and a batch holds rte_mbuf* that are used as Packet*.
target_compile_options(headroom_options INTERFACE -fno-strict-aliasing)
if(HEADROOM_NATIVE)
  target_compile_options(headroom_options INTERFACE -march=native)
else()
  target_compile_options(headroom_options INTERFACE -march=x86-64-v3)
endif()
if(HEADROOM_SANITIZE)
  target_compile_options(headroom_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
    # What is tested runs fast enough with -O1; what tests it is the larger half, and compiles in
    # two thirds of the time without.
    $<IF:$<BOOL:$<TARGET_PROPERTY:HEADROOM_TEST>>,-O0,-O1>
    # Lines in stack traces are enough, and compile a sixth faster than all of -g.
    -g1)
  target_link_options(headroom_options INTERFACE -fsanitize=address,undefined)
endif()
if(HEADROOM_FUZZ)
  target_compile_options(headroom_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

add_library(headroom_warnings INTERFACE)
target_compile_options(headroom_warnings INTERFACE -Wall -Wextra -Wpedantic -Werror
  # g++ 12 sees overlapping copies in every `"text" + std::string` (its bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
