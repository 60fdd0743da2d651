a, b, c :: Queue; d :: DRRSched; FromDevice(x) -> h :: HashSwitch(26, 4);
h => a, b, c => d -> ToDevice(y);
