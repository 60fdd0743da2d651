// A device as seen from a router: to be read from or written to, by how it is connected.
elementclass Port { $dev | FromDevice($dev) -> output || $dev | input -> Queue(32) -> ToDevice($dev) }
