"""The procedures of the papers, asked for by ``method=``."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from eec_bias.errors import OptionError
from eec_bias.inputs.scores import Scores
from eec_bias.inputs.sources import Source
from eec_bias.methods.camara2022 import EMOTIONS, LABEL, camara2022, camara_table
from eec_bias.methods.kiritchenko2018 import kiritchenko2018
from eec_bias.methods.kiritchenko2018_tables import summary_table
from eec_bias.methods.perturbation import perturbation
from eec_bias.methods.perturbation_tables import perturbation_tables, scalars
from eec_bias.methods.rating import rating
from eec_bias.methods.rating_rows import rating_scalars
from eec_bias.methods.rating_tables import rating_tables
from eec_bias.options import Layout, Method, one_of
from eec_bias.result.result import Result
from eec_bias.result.tables import LAYOUTS, terms_table

DEFAULTS: dict[str, Any] = {
    "adjust": "holm", "incomplete": "refuse", "simple": False, "by": None, "outputs": "score", "permutations": 0,
    "bootstrap": 0, "margin": None, "contrasts": "default", "refit": False,
}  # fmt: skip
"""Options of the default method that a published procedure cannot honour."""

OWN: dict[str, tuple[str, ...]] = {
    "perturbation": ("group", "thresholds", "baseline"),
    "rating": ("weights", "levels"),
}
"""Options that only one method has; None where they are not given."""

SHARED: dict[str, tuple[str, ...]] = {"perturbation": ("adjust", "incomplete", "bootstrap")}
"""Options of the default method that a procedure honours after all."""


def published(
    method: Method,
    scores: Scores,
    source: Source,
    *,
    axes: Sequence[str] | None,
    reference: Any,
    edge: str,
    others: dict[str, Any],
) -> Result:
    """Run a published procedure; its rows stand in the same long frame.

    Parameters
    ----------
    method : {"camara2022", "kiritchenko2018"}
        Which.
    scores : Scores
        Checked scores; their tasks choose the sentences of the matching emotion.
    source : Source
        The data.
    axes, reference, edge
        As for ``measure``.
    others : dict
        The other options of ``measure``, which must have their defaults.

    Raises
    ------
    OptionError
        If an option is given that the procedure does not have.
    """
    for name, default in DEFAULTS.items():
        if others[name] != default and name not in SHARED.get(method, ()):
            raise OptionError(
                f"{name}={others[name]!r} has no meaning in the published procedure method={method!r}; leave it out"
            )
    common: dict[str, Any] = {
        "tasks": scores.tasks, "axes": axes, "reference": reference, "score_range": scores.score_range,
    }  # fmt: skip
    if method == "perturbation":
        test = {"reference": (reference, "default"), "adjust": (others["adjust"], "holm"), "edge": (edge, "none")}
        names = ("thresholds", "baseline", "incomplete", "bootstrap", "seed")
        found = perturbation(scores, source, group=axes, **{name: others[name] for name in names}, test=test)
        return replace(found, study=Published(found), scalars=scalars(found.terms))
    if method == "rating":
        for name, value, default in (("reference", reference, "default"), ("edge", edge, "none")):
            if value != default:
                raise OptionError(f"{name}={value!r} has no meaning in method={method!r}; leave it out")
        found = rating(scores, source, axes=axes, weights=others["weights"], levels=others["levels"])
        return replace(found, study=Published(found), scalars=rating_scalars(found.terms))
    if method == "camara2022":
        result, study = camara2022(scores, source, edge=edge, **common), None
    else:
        if edge != "none":
            raise OptionError(f"edge={edge!r} has no meaning in method={method!r}, which fits no beta regression")
        study = kiritchenko2018(scores, source, **common)
        result = study.result
    whole = replace(result, notes=(*scores.notes, *result.notes), study=study, method=method)
    return replace(whole, study=Published(whole))


@dataclass(frozen=True, slots=True)
class Published:
    """A study with the tables of its paper."""

    result: Result

    def __getattr__(self, name: str) -> Any:
        return getattr(self.result.study, name)

    def to_dict(self) -> dict[str, Any]:
        """Return what the study knows."""
        return {} if self.result.study is None else self.result.study.to_dict()

    def tables(self, layout: Layout = "text") -> dict[str, str]:
        """Lay out the tables."""
        return published_tables(self.result, layout)


def refuse_foreign(method: Method, given: dict[str, Any]) -> None:
    """Refuse options of a method other than the one asked for.

    Parameters
    ----------
    method : str
        The method.
    given : dict
        The options of `OWN` by name; None where one is not given.

    Raises
    ------
    OptionError
        Naming the first such option and its method.
    """
    for owner, names in OWN.items():
        for name in names:
            if given[name] is not None and owner != method:
                raise OptionError(
                    f"{name}= is an option of method={owner!r}; with method={method!r} it has no meaning: leave it out"
                )


def published_tables(result: Result, layout: Layout) -> dict[str, str]:
    """Lay the result of a published procedure out as its paper does.

    Parameters
    ----------
    result : Result
        With ``study`` where it is of ``kiritchenko2018``.
    layout : {"text", "csv", "latex"}
        The form.

    Raises
    ------
    OptionError
        If the layout is unknown.
    """
    one_of("layout", layout, LAYOUTS)
    if result.method == "perturbation":
        return perturbation_tables(result, layout)
    if result.method == "rating":
        return rating_tables(result.study, layout)
    if result.study is not None:
        study = result.study
        pairs = dict.fromkeys((detail["term"], detail["subset"]) for detail in study.details)
        return {f"{term}, {subset}": summary_table(study, term, subset, layout) for term, subset in pairs}
    if all(row.get("task") in EMOTIONS for row in result.terms):
        label = result.signature.data.partition("#")[0]
        return {"coefficients": camara_table({label: {"terms": result.terms}}, layout)}
    return {"coefficients": terms_table(result, layout, note=LABEL)}
