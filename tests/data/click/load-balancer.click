elementclass Backend { $ip, WEIGHT $w | -> SetIPAddress($ip) -> Counter(WEIGHT $w) -> }
define($a 10.0.0.1, $b 10.0.0.2)
rr :: RoundRobinSwitch;
FromDevice(in) -> rr => Backend($a, WEIGHT 1), Backend($b, WEIGHT 2) -> q :: Queue -> ToDevice(out);
