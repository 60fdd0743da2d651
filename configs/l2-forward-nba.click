// Sends every frame back by the port that it came by: the least that a machine does for a packet. Write
// `echoback_cross` to have ports 0 and 1, 2 and 3, and so on send for each other.
//
//   headroom --system SYSTEM.yaml configs/l2-forward-nba.click

require(package nba);

define($method echoback);

FromInput() -> L2Forward(method $method) -> ToOutput();
