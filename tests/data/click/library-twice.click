require(library ports.click, library ports.click)
require(library ports.click)
Port(a) -> Port(b);
