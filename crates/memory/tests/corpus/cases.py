"""Every case: name, what was made wrong (its pattern), the files, the command, and where known the cause's file and line."""

from cases_c import C
from cases_node import NODE
from cases_other import OTHER
from cases_python import PYTHON
from cases_rust import RUST
from cases_system import SYSTEM

CASES = [*RUST, *PYTHON, *NODE, *C, *OTHER, *SYSTEM]
