#include "to_port.hh"

namespace headroom {

HEADROOM_ELEMENT(ToPort);

}  // namespace headroom
