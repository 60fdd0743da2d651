IPFilter(allow (tcp or udp) && dst port 80, deny all);
