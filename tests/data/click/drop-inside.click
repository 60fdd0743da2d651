s :: Source; s -> { -> Discard }; s [1] -> { -> Discard };
