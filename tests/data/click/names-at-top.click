input :: Source; output :: Sink; input -> output;
