"""The page of the Space: what ``eec app`` serves, from the installed wheel."""

import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    # In this folder the file eec_bias.py would be taken for the package.
    here = Path(__file__).resolve().parent
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != here]
    runpy.run_module("eec_datasets.app", run_name="__main__")
