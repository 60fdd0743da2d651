Source -> ( -> Print(1) -> Print(2) -> ) -> Discard;
