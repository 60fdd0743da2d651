Source -> ( -> a :: Tee => ( -> Print(1) -> ), ( -> Print(2) -> ) -> ) -> Discard;
