Source -> ( -> ( -> ( -> Print -> ) -> ) -> ) -> Sink;
