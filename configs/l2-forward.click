// A wire between two Linux interfaces: what comes in by one leaves by the other, as it came.
//
//   headroom configs/l2-forward.click left=eth1 right=eth2

define($left eth1, $right eth2);

FromDevice($left) -> to_right :: Counter -> ToDevice($right);
FromDevice($right) -> to_left :: Counter -> ToDevice($left);
