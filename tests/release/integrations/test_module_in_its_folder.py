"""The module of evaluate in a process whose folder is the package itself."""

from pathlib import Path

from forking import Forks

import eec_bias

FOLDER = Path(eec_bias.__file__).parent


STANDING_INSIDE = """
import evaluate, sys
for name in [name for name in sys.modules if name.partition(".")[0] == "eec_bias"]:
    del sys.modules[name]
sys.path.insert(0, "")
found = evaluate.load("FOLDER")
import eec_bias
print(type(found).__name__, eec_bias.__file__, callable(eec_bias.measure), sep="\\n")
"""


def test_standing_in_its_folder_the_module_does_not_hide_the_package(forks: Forks) -> None:
    done = forks.run(STANDING_INSIDE.replace("FOLDER", str(FOLDER)), FOLDER)
    assert done.out.splitlines() == ["EecBias", str(FOLDER / "__init__.py"), "True"], done.err
