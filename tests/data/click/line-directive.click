a :: Print(
# 100 "made.click"
x);
a -> Discard;
