// Everything is handed on, commas and quotes and all.
elementclass Wrap { __REST__ $all | input -> Print($all) -> output }
elementclass Twice { __REST__ $all | input -> Wrap($all) -> Wrap(second, $all) -> output }
Idle -> Twice("a, b", MAXLENGTH 10, CONTENTS  ASCII,) -> Wrap -> Discard;
