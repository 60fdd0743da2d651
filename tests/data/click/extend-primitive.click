elementclass Queue { $a, $b | -> Queue($a) -> Unqueue -> Queue($b) -> || ... }
Source -> Queue(1, 2) -> q :: Queue(3) -> Discard;
