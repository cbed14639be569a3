"""``python -m eec_datasets.app``: serve the page with the corpora that the environment names, as the Space does."""

from __future__ import annotations

import contextlib
import signal
import sys

from eec_datasets.app.page import launch
from eec_datasets.app.sources import CorpusSource, from_environment
from eec_datasets.errors import EecError

if __name__ == "__main__":
    # A plain end at SIGTERM would leave the visitors' files.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    source: CorpusSource | EecError
    try:
        source = from_environment()
    except EecError as error:
        # A Space shows a page either way; this one says what is missing.
        print(f"Error: {error}", file=sys.stderr)
        source = error
    with contextlib.suppress(KeyboardInterrupt):
        launch(source, quiet=False)
