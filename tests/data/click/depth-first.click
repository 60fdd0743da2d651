elementclass L { a :: X; b :: X }
elementclass M { p :: L; q :: X; r :: L }
m :: M; z :: X; n :: L;
