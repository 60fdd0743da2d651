a :: Idle // c
/* d */ -> Tee -> é Discrad
