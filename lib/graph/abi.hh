// The ABI that a package of elements is built against, as a text inside its file.
//
// The program searches the file for it before loading, because loading runs constructors that would
// already use the wrong layout. Raise kAbiVersion whenever a header that elements include changes
// in layout.
#pragma once

#include <rte_version.h>

#include "headroom/packet/poison.hh"

#define HEADROOM_TEXT_(x) #x
#define HEADROOM_TEXT(x) HEADROOM_TEXT_(x)

#define HEADROOM_ABI_VERSION 3

#if HEADROOM_POISON
#define HEADROOM_ABI_SANITIZER "on"
#else
#define HEADROOM_ABI_SANITIZER "off"
#endif

// One line: what must be the same on both sides.
#define HEADROOM_ABI_PREFIX "headroom-abi: "
#define HEADROOM_ABI                                                      \
  "version " HEADROOM_TEXT(HEADROOM_ABI_VERSION) ", DPDK " HEADROOM_TEXT( \
      RTE_VER_YEAR) "." HEADROOM_TEXT(RTE_VER_MONTH) ", sanitizer " HEADROOM_ABI_SANITIZER

namespace headroom {

// In every object that includes an element header; `used` keeps it where nothing refers to it.
[[gnu::used]] static const char kAbiMark[] = HEADROOM_ABI_PREFIX HEADROOM_ABI;

}  // namespace headroom
