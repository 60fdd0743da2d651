define($set 1, $none)
Print(${set-no}, ${unset-${set}}, <${none-no}>, ${unset});
