Print("a)b", '(', \<29>); Print('it''s', "say \"hi\"");
