elementclass Wire { -> }
Source -> Wire -> Wire -> Wire -> Discard;
