define($x 1); Idle -> Print($x) -> (-> A -> ) -> { -> } (2);
