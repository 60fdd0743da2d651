counter :: Counter;
elementclass Watch { input -> counter -> output }
elementclass Split { input [0] -> Discard; input [2] -> Discard }
Idle -> Watch -> counter -> Discard;
