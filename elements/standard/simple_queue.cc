#include "simple_queue.hh"

namespace headroom {

HEADROOM_ELEMENT(SimpleQueue);

}  // namespace headroom
