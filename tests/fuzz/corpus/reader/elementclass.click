elementclass Foo { input -> { -> } -> output || $a | Print("}") }
Idle -> Foo -> A
