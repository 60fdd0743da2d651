AddressInfo(lan 10.1.0.0/16, gateway 10.1.0.300, printer 10.1.0.9 1:2:3:4:5);
InfiniteSource
  -> StaticIPLookup(lan 0, 0/0 gatway 0)
  -> EtherRewrite(printer, gateway:eth)
  -> Discard;
