elementclass Old { | Print(old) }
elementclass New Old
elementclass New { $a | Print(new) || ... }
New; New(1); Old;
