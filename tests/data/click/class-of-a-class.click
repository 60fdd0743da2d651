// A class is what it was where the body was written, also through synonyms and extensions.
elementclass Sink { -> Counter -> Discard }
elementclass End Sink;
elementclass Sink { $label | -> Print($label) -> End || ... }
elementclass Both { -> t :: Tee; t -> Sink; t [1] -> Sink(both) }
elementclass Sink { -> Discard }
i :: Idle -> Both;
i [1] -> Sink;
