elementclass P { -> Print(outer) -> }
elementclass Q { elementclass P { -> Print(inner) -> } -> P -> }
Source -> P -> Q -> P -> Discard;
