elementclass Vlan { $id | -> v :: VLANDecap -> CheckPaint($id) -> VLANEncap($id) -> }
FromDevice(a) -> Vlan(10) -> Vlan(20) -> Queue -> ToDevice(b);
