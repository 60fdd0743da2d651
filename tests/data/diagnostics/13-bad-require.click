require(library missing.click);
require(version 2);
Idle -> Discard;
