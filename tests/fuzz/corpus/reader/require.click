require(package x, compact_config, foo); require(a b)
