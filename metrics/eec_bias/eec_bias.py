"""The metric as an `evaluate` module, ``evaluate.load("metrics/eec_bias")``. The package `eec_bias` does the work.

`evaluate` reads the lines that begin with ``import``: what follows ``# From:`` is what it tells users to install where
the package is missing. `eec publish metric` writes there, and into ``WHEEL``, the address of the wheel.
"""

import re
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

VERSION = "0.1.0"
"""Of this file and of the package it was released with."""

INTERFACE = 1
"""Interface that the package must have; any version with it will do, except those older than `OLDEST`."""

OLDEST = "0.1.0"
WHEEL = "."

if __name__ == "eec_bias":
    # Python found this file on the path, by the name of the package that it hides: it steps aside.
    _here = Path(__file__).resolve().parent
    sys.path[:] = [place for place in sys.path if Path(place).resolve() != _here]
    del sys.modules["eec_bias"]

if find_spec("eec_bias") is None:
    # A copy from the cache of evaluate, which speaks for itself only where it finds the module on the Hub.
    raise ImportError(f"this evaluate module, {VERSION}, needs the package eec_bias: pip install {WHEEL}")

import eec_bias  # From: .


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def _check_package(version: str, interface: int | None) -> None:
    installed = f"eec_bias {version} in {next(iter(getattr(eec_bias, '__path__', ['?'])))}"
    if interface is None or (interface == INTERFACE and _parts(version) < _parts(OLDEST)):
        raise ImportError(
            f"this evaluate module, {VERSION}, needs the package eec_bias {OLDEST} or later, and found {installed}: "
            f"pip install {WHEEL}"
        )
    if interface != INTERFACE:
        raise ImportError(
            f"this evaluate module, {VERSION}, speaks interface {INTERFACE} of the package, and {installed} has "
            f"interface {interface}: load the module of that version, revision 'v{version}', or pip install {WHEEL}"
        )


_check_package(getattr(eec_bias, "VERSION", "?"), getattr(eec_bias, "INTERFACE", None))
_metric = import_module("eec_bias.integrations.evaluate_metric")


class EecBias(_metric.BiasMetric):  # type: ignore[misc, name-defined]  # known when it is loaded, not before
    """Bias coefficients of scored sentences, see `eec_bias.integrations.evaluate_metric`."""

    module_version = VERSION
