"""The metric for `evaluate`, all but its version: the thin module ``eec_bias.py`` makes the class that is loaded."""

import reprlib
import tomllib
from collections.abc import Callable, Mapping, Sized
from dataclasses import replace
from pathlib import Path
from typing import Any

import datasets
import evaluate
import numpy as np

from eec_bias.api import measure
from eec_bias.errors import LabelsError, OptionError, ScoresError, expect
from eec_bias.inputs.containers import columns_of, refuse_other_order
from eec_bias.inputs.labels import encode
from eec_bias.inputs.matrices import as_numbers, unmask
from eec_bias.inputs.observed import OF_ITEMS, PLACEBO, SAID
from eec_bias.inputs.pipelines import read_labelled, scores_of_outputs
from eec_bias.inputs.wording import WORD_FORM
from eec_bias.integrations.corpora import named_corpus
from eec_bias.methods import METHODS
from eec_bias.options import DEFAULTS, FUNCTIONS, OF_TABLES, MeasureOptions, check_names, check_options, is_name, one_of
from eec_bias.result.facts import check_version, class_settings
from eec_bias.result.result import Result
from eec_bias.result.text import report as as_text
from eec_bias.stats.resolution import of_pieces

CITATION = Path(__file__).with_name("papers.bib")

ABOUT = Path(__file__).with_name("about.toml")
"""File of texts that `evaluate` shows: ``description``, ``inputs`` and, for the default procedure, ``of_items``."""

PREDICTIONS = {
    "score": datasets.Value("float64"),
    "ordinal": datasets.Value("float64"),
    "class": datasets.Value("string"),
    "probabilities": datasets.Sequence(datasets.Value("float64")),
}

OF_NAMES = (*(DEFAULTS.families or ()), SAID, PLACEBO)
"""Columns of what names share, which the default procedure takes where they are given."""

AXES = ("race", "gender")
"""The axes whose columns are taken where none were chosen."""

AT_LOADING = ("axes", "outputs", "by", "systems", "tasks", "runs")
"""Options that say what the columns are, and the one that is called ``data`` here."""


class BiasMetric(evaluate.Metric):  # type: ignore[misc]  # evaluate carries no types
    """Bias coefficients of scored sentences.

    Parameters
    ----------
    config_name : str, optional
        The procedure: a method of `eec_bias.methods`, or by default the test of `eec_bias.measure`.
    axes : str or sequence of str, optional
        Identity axes: the columns ``compute`` takes besides ``person``, ``item`` and ``pair``, by default ``race`` and
        ``gender``. Of ``references`` by default those that `measure` takes.
    outputs : {"score", "ordinal", "class", "probabilities"}
        What the predictions are.
    by, systems, tasks, runs : str, optional
        Further columns, with the meaning they have in ``measure``; ``systems`` and ``tasks`` are for long data.
    columns : str or sequence of str
        Further columns that a method needs, such as ``emotion``.
    classes, positive_class : optional
        As in ``measure``, where the outputs of a pipeline are added in batches, which have to be read one by one.
    version : str, optional
        Version of the package that is wanted.

    Raises
    ------
    OptionError
        If this is another version, or the configuration or an option of it is unknown.
    """

    module_version = ""
    """Version of the thin module."""

    def __init__(
        self,
        *args: Any,
        config_name: str | None = None,
        axes: Any = None,
        outputs: str = "score",
        by: str | None = None,
        systems: str | None = None,
        tasks: str | None = None,
        runs: str | None = None,
        columns: Any = (),
        classes: Any = None,
        positive_class: str | None = None,
        version: str | None = None,
        **kwargs: Any,
    ) -> None:
        check_version(version)
        self.method = config_name or "default"
        one_of("configuration", self.method, tuple(FUNCTIONS))
        of_rows = {"by": by, "systems": systems, "tasks": tasks, "runs": runs}
        for name, value in of_rows.items():
            expect(value is None or is_name(value), name, value, "the name of a column")
        options = of_rows | {"outputs": None if outputs == "score" else outputs}
        options |= {"classes": classes, "positive_class": positive_class}
        self.loaded: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
        check_options(self.method, self.loaded)
        self.outputs = outputs
        self.axes = AXES if axes is None else _several("axes", axes)
        self.axes_chosen = axes is not None
        self.columns = (*_several("columns", columns), *(column for column in of_rows.values() if column is not None))
        names = [option.name for option in FUNCTIONS[self.method]]
        self.options = tuple(name for name in names if name not in (*AT_LOADING, *OF_TABLES))
        if "axes" in names:
            self.loaded["axes"] = self.axes
        optional = (*OF_ITEMS, WORD_FORM, *OF_NAMES) if self.method == "default" else ()
        self.of_items = tuple(name for name in optional if name not in self.columns)
        self._begin()
        super().__init__(*args, config_name=config_name, **kwargs)

    def _info(self) -> Any:
        columns = dict.fromkeys((*self.axes, "person", "item", "pair", *self.columns), datasets.Value("string"))
        taken = [opt for opt in FUNCTIONS[self.method] if opt.name in self.options]
        # What is a flag on the command line is a value here.
        options = [f"    {opt.name}: {opt.help}".replace("--no-reference", "None") for opt in taken]
        about = tomllib.loads(ABOUT.read_text(encoding="utf-8"))
        of_items = about["of_items"].format(names=", ".join(self.of_items)) if self.of_items else ""
        inputs = about["inputs"].format(columns=", ".join(columns), of_items=of_items, options="\n".join(options))
        return evaluate.MetricInfo(
            description=about["description"],
            citation=CITATION.read_text(encoding="utf-8"),
            inputs_description=inputs,
            features=datasets.Features({"predictions": PREDICTIONS[self.outputs], **columns}),
        )

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add scored sentences; all columns must have the same length."""
        predictions = self._added("add_batch", predictions)
        super().add_batch(references=references, **self._checked("add_batch", {"predictions": predictions, **kwargs}))

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one scored sentence."""
        if prediction is not None:
            prediction = next(iter(self._added("add", [prediction])))
        given = {"predictions": prediction, **kwargs}
        columns = self._checked("add", {name: [value] for name, value in given.items() if value is not None})
        sentence = {name: column[0] for name, column in columns.items()}
        super().add(prediction=sentence.pop("predictions"), reference=reference, **sentence)

    def _begin(self) -> None:
        """Begin with no batches."""
        self.read_by: dict[str, Any] = {}
        self.emitted: bool | None = None
        self.resolutions: list[float | None] = []
        self.scored_by: dict[str, Any] = {}

    def _added(self, call: str, predictions: Any) -> Any:
        """The scores of a batch of what a pipeline emitted; numbers and labels pass as they are."""
        if self.method != "default" or predictions is None or not len(predictions):
            return predictions
        emitted = read_labelled(predictions) is not None
        if self.outputs == "score" and self.emitted not in (None, emitted):
            raise ScoresError(
                f"{call}() was given {'the output of a pipeline' if emitted else 'numbers'}, and the batches before "
                "were not: give one kind of predictions"
            )
        self.emitted = emitted
        if not emitted:
            return predictions
        if self.outputs == "score" and not {"classes", "positive_class"} & self.loaded.keys():
            raise ScoresError(
                f"{call}() was given the output of a pipeline, and what is the score has to be known before: load the "
                "metric with positive_class=… or classes=…, such as evaluate.load(…, positive_class='POSITIVE'), or "
                "give everything to compute() at once, with one of these"
            )
        predictions, self.read_by = self._as_scores(predictions, {})
        self.resolutions.append(self.read_by.pop("resolution", None))
        return predictions

    def _checked(self, call: str, columns: dict[str, Any]) -> dict[str, Any]:
        """Check columns as `evaluate` takes them."""
        self._refuse_unfit(call, columns)
        if isinstance(columns["predictions"], np.ma.MaskedArray):
            # It would go through them one by one, with a warning.
            columns["predictions"] = unmask(columns["predictions"])
        sizes = {name: len(column) for name, column in columns.items() if name in self._feature_names()}
        if len(set(sizes.values())) > 1:
            lengths = ", ".join(f"{name} has {size}" for name, size in sizes.items())
            raise LabelsError(f"columns differ in length: {lengths}; each needs one value per sentence")
        for name, size in sizes.items():
            # It would refuse numbers among labels with a listing of all columns.
            if size and getattr(self.info.features[name], "dtype", "") == "string":
                coded = encode(name, columns[name])
                columns[name] = list(coded.texts(np.arange(len(coded))))
        return columns

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> Any:
        """Measure the sentences given here and those added before.

        Parameters
        ----------
        predictions : sequence, optional
            One output per sentence, also what a pipeline of transformers emits with ``positive_class`` or ``classes``.
        references : datasets.Dataset, frame, table or mapping of columns, or str, optional
            Rows of an EEC, which carry every label, or the name of a corpus of eec_datasets; instead of columns.
        **kwargs
            The columns, and options of the procedure.
        """
        check_version(kwargs.pop("version", None))
        further = ("references", "data", "details", "version")
        accepted = (*self._feature_names(), *self.options, *self.of_items, *further)
        for name in kwargs:
            if name not in accepted:
                raise OptionError(
                    f"compute() was given {name}, which it does not know; it takes {', '.join(accepted)}. A method is "
                    "chosen when the metric is loaded, as its configuration; so are axes, outputs, by, systems, "
                    "tasks, runs, and, as columns=…, further columns"
                )
        if self.writer is None:
            self._begin()
        if isinstance(references, str) or _are_columns(references):
            return self._compute_rows(predictions, references, kwargs)
        again = [name for name in ("classes", "positive_class", "score_range") if self.read_by and name in kwargs]
        if again:
            raise OptionError(
                f"compute() was given {again[0]}, and the batches before were read by what the metric was loaded with; "
                f"leave {again[0]} out"
            )
        if predictions is None:
            kwargs |= self.read_by
            if self.resolutions:
                kwargs = {"resolution": of_pieces(self.resolutions)} | kwargs
        else:
            predictions, kwargs = self._as_scores(predictions, kwargs)
            self._refuse_unfit("compute", {"predictions": predictions, **kwargs})
        try:
            return super().compute(predictions=predictions, references=references, **kwargs)
        except Exception:
            self._forget()
            raise
        finally:
            self._begin()

    def _compute_rows(self, predictions: Any, references: Any, given: dict[str, Any]) -> dict[str, Any]:
        """Measure predictions beside the rows that they are of, as `measure` does."""
        labels = [name for name in given if name in (*self._feature_names(), *self.of_items)]
        if labels:
            raise OptionError(
                f"references and {', '.join(labels)} were given; rows of a corpus carry every label, so leave "
                f"{labels[0]} out"
            )
        if predictions is None or self.writer is not None or self.num_process != 1:
            raise OptionError(
                "references are the rows of all predictions of one process; give both whole to compute(), and add "
                "nothing before"
            )
        options = {name: value for name, value in given.items() if name in self.options}
        rows = named_corpus(references)
        procedure: Callable[..., Result] = METHODS.get(self.method, measure)
        told = {name: value for name, value in self._told(options).items() if name != "axes" or self.axes_chosen}
        result = procedure(predictions, rows, **told)
        return self._plain(result, details=bool(given.get("details", False)))

    def _told(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options that were given when the metric was loaded, and those that take their place."""
        says_score = ("classes", "positive_class")
        again = any(name in given for name in says_score)
        kept = {name: value for name, value in self.loaded.items() if not (again and name in says_score)}
        return {**kept, **given}

    def _plain(self, result: Result, *, details: bool) -> dict[str, Any]:
        return replace(result, module_version=self.module_version).to_dict(details=details)

    def _as_scores(self, predictions: Any, given: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """The scores of what a pipeline emitted, which `evaluate` can keep, and the options that then hold."""
        if self.method != "default":
            return predictions, given
        of_outputs = ("classes", "positive_class", "score_range", "resolution")
        told = {name: value for name, value in self._told(given).items() if name in of_outputs}
        before = MeasureOptions(outputs=self.loaded.get("outputs", DEFAULTS.outputs), **told)
        predictions, after = scores_of_outputs(predictions, before)
        changed = {name: getattr(after, name) for name in of_outputs if getattr(after, name) != getattr(before, name)}
        if before.classes != after.classes or before.positive_class != after.positive_class:
            self.scored_by = {"classes": before.classes, "positive_class": before.positive_class}
        if self.outputs == "probabilities" and isinstance(predictions, Mapping):
            predictions = _in_order(predictions, after.classes)
        return predictions, {**given, **changed}

    def _compute(self, *, predictions: Sized, details: bool = False, **kwargs: Any) -> dict[str, Any]:
        columns = self._feature_names()
        options = {name: kwargs.pop(name) for name in self.options if name in kwargs and name not in columns}
        procedure: Callable[..., Result] = METHODS.get(self.method, measure)
        data_columns = {name: column for name, column in kwargs.items() if column is not None}
        result = procedure(predictions, data_columns, **self._told(options))
        if self.scored_by:
            settings = (*result.facts.settings, *class_settings(**self.scored_by))
            result = replace(result, facts=replace(result.facts, settings=settings))
        return self._plain(result, details=details)

    def report(self, result: Any) -> str:
        """Lay a result of ``compute`` out as text: table, reading and signature."""
        return as_text(result)

    def _refuse_unfit(self, call: str, columns: dict[str, Any]) -> None:
        """Refuse with a message of ours what `evaluate` would answer with a bare KeyError or ValueError."""
        whole = [name for name in self.of_items if call != "compute" and name in columns]
        if whole:
            raise LabelsError(
                f"{call}() was given {', '.join(whole)}; give it whole to compute(), or load the metric with "
                f"columns={tuple(whole)}, which takes it with the sentences"
            )
        missing = [name for name in self._feature_names() if columns.get(name) is None]
        if missing:
            raise LabelsError(
                f"{call}() lacks {', '.join(missing)}; give one value per sentence, as in the corpus' columns of that "
                "name"
            )
        predictions = columns["predictions"]
        if columns_of(predictions) is not None:
            raise ScoresError(
                "the predictions are columns with names, which `evaluate` would drop; give one output per sentence, "
                "such as frame['score'], or probabilities in the order of the classes, such as "
                "frame[list(classes)].to_numpy()"
            )
        labels = [column for name, column in columns.items() if name != "predictions"]
        for labelled in [column for column in labels if hasattr(column, "iloc")] or [None]:
            refuse_other_order(predictions, labelled)
        if self.outputs in {"score", "ordinal"}:
            as_numbers(predictions)
        first: Any = next(iter(predictions), None)
        plain = getattr(first, "as_py", lambda: first)()
        if first is not None and np.ndim(plain) != (self.outputs == "probabilities"):
            raise ScoresError(
                f"{call}() was given {reprlib.repr(first)} for a sentence; it takes predictions of one system, "
                f"{'a list of a probability per class' if self.outputs == 'probabilities' else 'one value'} for each"
            )

    def _forget(self) -> None:
        """Discard the sentences of a failed run, which `evaluate` would keep locked on disk."""
        self.data = self.writer = self.cache_file_name = self.filelock = None
        for lock, path in zip(self.filelocks or [], self.file_paths or [], strict=True):
            Path(path).unlink(missing_ok=True)
            lock.release()
        self.filelocks: list[Any] = []
        self.file_paths: list[str] = []


def _in_order(columns: Mapping[str, Any], classes: Any) -> Any:
    """Rows of probabilities in the order of the classes, which `evaluate` can keep."""
    if classes is None or set(map(str, classes)) != set(columns):
        raise OptionError(
            f"the pipeline emitted the labels {', '.join(columns)}; name all of them in classes, in an order, such as "
            f"classes={list(columns)}"
        )
    return np.stack([columns[str(name)] for name in classes], axis=1)


def _are_columns(references: Any) -> bool:
    """Return whether references are rows with labels, not the answers that `evaluate` hands to every metric."""
    return isinstance(references, Mapping) or hasattr(references, "columns") or hasattr(references, "column_names")


def _several(option: str, names: Any) -> tuple[str, ...]:
    names = (names,) if isinstance(names, str) else names
    check_names(option, names)
    return tuple(names)
