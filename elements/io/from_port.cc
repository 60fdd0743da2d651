#include "from_port.hh"

namespace headroom {

HEADROOM_ELEMENT(FromPort);

}  // namespace headroom
