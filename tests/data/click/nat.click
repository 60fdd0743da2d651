define($INT 10.0.0.0/8, $EXT 192.0.2.1)
rw :: IPRewriter(pattern $EXT 1024-65535 - - 0 1, drop);
FromDevice(in) -> IPClassifier(src net $INT) -> [0] rw [0] -> Queue -> ToDevice(out);
FromDevice(out) -> [1] rw [1] -> Queue -> ToDevice(in);
