require(package tools, compact_config); require(tcpip)
Tool;
