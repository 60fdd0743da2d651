elementclass Bridge { $n |
  sw :: EtherSwitch($n);
  [0] -> [0] sw; [1] -> [1] sw; sw => [0], [1] output;
}
FromDevice(a) -> [0] b :: Bridge(2); FromDevice(b) -> [1] b;
b => ( -> Queue -> ToDevice(a) ), ( -> Queue -> ToDevice(b) );
