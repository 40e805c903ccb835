# What fits, and what is no statement, stays.
    field: A | None = None
"""Text.

x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x (a, b)
"""
# x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x 
    r"""x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x (a)"""
x = [
    x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x ,
]
if x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x :
    pass
x = """(
x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x 
"""
x = '"""'
f(NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN, NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN)
# Long calls give way, one argument a line.
x: NNN = field(default_factory=lambda: Inner(text=NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN))
        return await call("a, (b", NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN)
# Long unions are parenthesized.
    x: NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN | NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN | list[A, B] = UNSET
    x: NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN | NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN | list[A, B]
    x: T = NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN | NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN | list[A, B]
# Headers and imports give way, one item a line.
class X(NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN, NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN):  # type: ignore[metaclass]
    def f(self, *, a: NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN = (1, 2)) -> dict[str, NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN]:
from .types import NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN, NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN
# A comma never changes what is meant.
x = f(NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN)[NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN]
x = [NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN for y in NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN]
f(((NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN - NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN)))
f((NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN,))
# What cannot give way is marked.
    x: NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN
def f() -> NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN:
