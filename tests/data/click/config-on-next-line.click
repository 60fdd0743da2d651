Source -> Print
  (x) -> Sink
