"""Count how often whole results answer rightly on systems whose truth is known.

``python -m benchmarks.answers [PART …]`` prints the parts of docs/sizes.md that are named in `PARTS`, all by default.
Each system scores a list as it is, `eec_bias.measure` tests it with the plan of this list, and its findings are
counted.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial

import numpy as np
import pandas as pd

import eec_bias
import eec_datasets
from benchmarks.dealt import score
from benchmarks.size_designs import sds
from benchmarks.sizes import rate
from eec_bias.options import Bools, Floats, Ints
from eec_bias.result.finding import Finding
from eec_bias.result.gate import failures
from eec_bias.result.term import Term
from eec_bias.stats.deals import deal_orders
from eec_bias.stats.simulation import draw_components

SYSTEMS = 500
"""Simulated systems of a line."""

SYSTEMS_OF_POWER = 1_000
"""Simulated systems if a power is compared with the predicted one."""

SYSTEMS_OF_STRATA = 1_000
"""Simulated systems if two tests are compared."""

SYSTEMS_OF_PHRASES = 200
"""Simulated systems with a planted gap: a test on phrases is slow, as it tries many flips of signs."""

AT_ONCE = 100
"""Simulated systems that are measured in one call."""

FEELINGS = {"joy": 0.15, "anger": -0.15, "fear": -0.15, "sadness": -0.15, "none": 0.0}
"""The effect of each emotion on the score, the same in every simulated system."""

MARGIN = 10

ALONE = 0.05
"""The level of one row, as if it were the only one."""


@cache
def rows_of(config: str, names: int | None = None, items: int | str | None = None) -> pd.DataFrame:
    """Return the rows of a config, or of a part of it."""
    chosen = {"names": names, "items": items}
    return eec_datasets.load(config, **{key: value for key, value in chosen.items() if value}).to_pandas()


def code(*columns: pd.Series) -> Ints:
    """Number the combinations of columns."""
    return np.asarray(pd.MultiIndex.from_arrays(columns).factorize()[0])


def draw(
    rows: pd.DataFrame,
    parts: Mapping[str, float],
    systems: int,
    rng: np.random.Generator,
    race_gap: float = 0.0,
    gender_gap: float = 0.0,
) -> Floats:
    """Draw scores (systems, rows) on a scale from 0 to 1.

    Parameters
    ----------
    rows : DataFrame
        A list.
    parts : mapping of str to float
        Standard deviations by source, as `sds` returns them, and that of ``families`` of names or meanings of nouns.
    systems : int
        How many are drawn.
    race_gap, gender_gap : float
        Half of it is added to the first level (Black, female), and half taken from the second.
    """
    race = rows["race"] if "race" in rows else pd.Series("unmarked", rows.index)
    group = race + rows["gender"]
    family = rows["family"].where(rows["family"] != "none", rows["person"])
    sources = {
        "persons": code(rows["person"]),
        "families": code(family, group),
        "groups × templates": code(group, rows["template"]),
        "groups × words": code(group, rows["word"].where(rows["emotion"] != "none", rows["item"])),
        "groups × items": code(group, rows["item"]),
    }
    of_race = race.map({"Black": 0.5, "white": -0.5}).fillna(0.0) * race_gap
    of_gender = rows["gender"].map({"female": 0.5, "male": -0.5}).fillna(0.0) * gender_gap
    same = 0.5 + rows["emotion"].map(FEELINGS) + of_race + of_gender
    vary = {name: codes for name, codes in sources.items() if parts.get(name)}
    scores = same.to_numpy() + draw_components(vary, parts, systems, rng)
    return scores + parts["residual"] * rng.standard_normal(scores.shape)


def draw_decisions(rows: pd.DataFrame, parts: Mapping[str, float], systems: int, rng: np.random.Generator) -> Floats:
    """Draw scores (systems, rows) and give 1 for each above .5, else 0."""
    return (draw(rows, parts, systems, rng) > 0.5).astype(float)


def draw_endings(
    rows: pd.DataFrame, parts: Mapping[str, float], systems: int, rng: np.random.Generator, gap: float
) -> Floats:
    """Draw scores (systems, rows) that are lower by a gap where a word has another form for women."""
    forms = rows.groupby("item")["word_form"].transform("nunique")
    feminine = (forms > 1) & (rows["gender"] == "female")
    return draw(rows, parts, systems, rng) - gap * feminine.to_numpy()


def results(
    rows: pd.DataFrame, draws: Callable[[int], Floats], systems: int = SYSTEMS, **options: object
) -> Iterator[tuple[eec_bias.Result, list[str]]]:
    """Yield results of some systems at a time, and their names."""
    for start in range(0, systems, AT_ONCE):
        number = min(AT_ONCE, systems - start)
        named = {f"s{start + n}": row for n, row in enumerate(draws(number))}
        yield eec_bias.measure(named, rows, score_range=None, control=0, **options), list(named)


def share(hits: Sequence[bool] | Bools) -> str:
    """Write a share."""
    return rate(float(np.mean(hits)))


def whole_report() -> str:
    """Tell how often any question of a whole result is answered by a finding, where nobody is treated differently."""
    lists = {
        "en-black-white": rows_of("en-black-white"),
        "en-black-white-100, 20 items": rows_of("en-black-white-100", items=20),
        "es-anglo-latino": rows_of("es-anglo-latino"),
        "en-black-white-100-cues, 20 names and items": rows_of("en-black-white-100-cues", 20, 20),
    }
    systems = {
        "names .03": sds(),
        "names .03, groups × items .05": sds(item=0.05),
        "names .03, groups × templates .02, groups × words .05": sds(template=0.02, word=0.05),
    }
    cases = [(name, said, parts, False) for name in lists for said, parts in systems.items()]
    cases += [("en-black-white, rates above .5", said, parts, True) for said, parts in systems.items()]
    lines = ["| list | systems | any finding | a gap | a reaction |", "|---|---|--:|--:|--:|"]
    for name, said, parts, rates in cases:
        rows = lists[name.partition(", rates")[0]]
        gaps: list[bool] = []
        reactions: list[bool] = []
        drawn = partial(draw_decisions if rates else draw, rows, parts, rng=np.random.default_rng(20))
        for result, named in results(rows, drawn):
            found = {each.system for each in result.gaps if each.found}
            heard = {each.system for each in result.reactions if each.found}
            gaps += [system in found for system in named]
            reactions += [system in heard for system in named]
        either = np.logical_or(gaps, reactions)
        lines.append(f"| {name} | {said} | {share(either)} | {share(gaps)} | {share(reactions)} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


def fair_names(rows: pd.DataFrame, scores: Floats, number: int) -> Iterator[Floats]:
    """Yield scores with the names dealt to groups, families together, after all groups have the same mean by item."""
    group = rows["race"] + rows["gender"]
    of_row = pd.Series(scores, index=rows.index)
    by_item = of_row.groupby(rows["item"]).transform("mean")
    level = of_row - of_row.groupby([group, rows["item"]]).transform("mean") + by_item
    persons = rows.drop_duplicates("person").sort_values(["race", "gender", "person"])
    cell = persons.groupby(["race", "gender"]).ngroup().to_numpy()
    table = rows.assign(score=level).pivot_table(index="person", columns="item", values="score").loc[persons["person"]]
    place = pd.Index(persons["person"]).get_indexer(rows["person"])
    item = table.columns.get_indexer(rows["item"])
    family = persons["family"].where(persons["family"] != "none", persons["person"]).factorize()[0]
    for order in deal_orders(cell, family, number, np.random.default_rng(1)):
        yield table.to_numpy()[order][place, item]


def close() -> str:
    """Tell how often a fair system is close, and passes the gate: wordllama, its names dealt to the groups."""
    parts = {
        "20 items, five of each emotion": rows_of("en-black-white-100", items=20),
        "20 items, four of each emotion and four without": with_wordless(rows_of("en-black-white-100")),
        "16 items, four of each emotion": rows_of("en-black-white-100", items=16),
    }
    lines = [
        "| names of en-black-white-100 | race close | gender close | passes | shown within |",
        "|---|--:|--:|--:|--:|",
    ]
    for said, whole in parts.items():
        rows = whole[whole["person_type"] == "name"].reset_index(drop=True)
        scores, _ = score("wordllama", list(rows["text"]))
        dealt = fair_names(rows, scores, SYSTEMS)
        answers: dict[str, list[bool]] = {"race": [], "gender": []}
        passes, margins = [], []
        for result, named in results(rows, partial(next_of, dealt), margin=MARGIN / 100):
            own: dict[str, list[Finding]] = {name: [] for name in named}
            for each in result.gaps:
                own[str(each.system)].append(each)
                if each.comparison.is_main and each.comparison.term in answers:
                    answers[each.comparison.term].append(each.answer == "close")
                    margins.append(100 * each.row.smallest_margin)
            passes += [not failures(each, MARGIN / 100, range_known=False) for each in own.values()]
        shown = f"{np.median(margins):.1f}"
        lines.append(f"| {said} | {share(answers['race'])} | {share(answers['gender'])} | {share(passes)} | {shown} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


def with_wordless(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of 16 items of a config, four of each emotion, and of four without an emotion word."""
    part = rows_of("en-black-white-100", items=16)
    wordless = rows.loc[rows["emotion"] == "none", "item"].drop_duplicates().head(4)
    return rows[rows["item"].isin([*part["item"].unique(), *wordless])]


def next_of(dealt: Iterator[Floats], number: int) -> Floats:
    """Take so many deals."""
    return np.array([next(dealt) for _ in range(number)])


def endings() -> str:
    """Tell on which sentences a gap is found of a system that lowers feminine adjectives by .05 and knows nobody."""
    lists = {
        "es-anglo-latino, 10 names": rows_of("es-anglo-latino"),
        "es-anglo-latino-100, 20 items": rows_of("es-anglo-latino-100", items=20),
    }
    lines = [
        "| list | names sd | names, agrees | names, same | nouns, agrees | nouns, same |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for said, rows in lists.items():
        for sd in (0.0001, 0.001, 0.01, 0.03):
            parts = {**sds(sd), "residual": 0.005}
            drawn = partial(draw_endings, rows, parts, rng=np.random.default_rng(20), gap=0.05)
            found: dict[tuple[str, str | None], list[bool]] = defaultdict(list)
            for result, _ in results(rows, drawn):
                for each in result.gaps:
                    asked = each.comparison
                    if asked.term == "gender" and asked.is_main:
                        found[asked.subset, asked.agreement].append(each.found)
            keys = [(subset, agreement) for subset in ("names", "pairs") for agreement in ("agrees", "same")]
            lines.append(f"| {said} | {sd:g} | {' | '.join(share(found[key]) for key in keys)} |")
            print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


GAPS: dict[str, Callable[..., Floats]] = {
    "none": draw,
    "10 points in words that agree": partial(draw_endings, gap=0.1),
    "4 points in all words": partial(draw, gender_gap=0.04),
}
"""Systems with gaps between women and men."""


def strata() -> str:
    """Tell how often the test of gender finds a gap, with a stratum for the templates of words that agree or without.

    The test is that of gender by name, alone at .05.
    """
    systems = {
        "names .03": sds(),
        "names .03, groups × templates .02, groups × words .05": sds(template=0.02, word=0.05),
    }
    lines = ["| list | systems | gap | two strata | one stratum |", "|---|---|---|--:|--:|"]
    for config in ("es-anglo-latino", "it-gender"):
        for said, parts in systems.items():
            for gap in GAPS:
                two, one = rejecting(config, parts, gap)
                lines.append(f"| {config} | {said} | {gap} | {rate(two)} | {rate(one)} |")
                print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


def rejecting(
    config: str, parts: Mapping[str, float], gap: str, systems: int = SYSTEMS_OF_STRATA
) -> tuple[float, float]:
    """Return the shares of systems in which the test rejects, with two strata of templates and with one."""
    rows = rows_of(config)
    rows = rows[rows["person_type"] == "name"].reset_index(drop=True)
    shares = []
    # Without its forms no word agrees.
    for part in (rows, rows.drop(columns="word_form")):
        drawn = partial(GAPS[gap], rows, parts, rng=np.random.default_rng(20))
        tested = (row for result, _ in results(part, drawn, systems) for row in result.overall)
        p = [row.p for row in tested if row.term == "gender" and row.agreement is None]
        shares.append(float(np.mean(np.array(p) < ALONE)))
    return shares[0], shares[1]


def planted() -> str:
    """Tell how often a gap between nouns is found, by its size."""
    gaps = (0.04, 0.08, 0.15)
    lines = [
        f"| list | nouns | system | {' | '.join(f'{100 * gap:.0f}' for gap in gaps)} |",
        f"|---|--:|---|{'--:|' * len(gaps)}",
    ]
    for config, nouns in (("en-age", 13), ("en-age", 8), ("en-black-white-100", 6)):
        part = rows_of(config, items=20) if config.endswith("100") else rows_of(config, items="lattice")
        phrases = part[part["person_type"].isin(["noun_phrase", "pronoun"])]
        kept = phrases["family"].value_counts().tail(nouns).index
        rows = phrases[phrases["family"].isin(kept)].reset_index(drop=True)
        # Both sides of a pair vary, so the pair differs with √2 of their sd.
        simulated = sds(0.03 / np.sqrt(2))
        scores, _ = score("wordllama", list(rows["text"]))
        systems = {
            "pairs sd .03": partial(_simulated, rows, simulated),
            "wordllama": partial(_with_coins, rows, scores),
        }
        for said, system in systems.items():
            cells = []
            for gap in gaps:
                found = []
                for result, _ in results(rows, system(gap), SYSTEMS_OF_PHRASES):
                    gender = [each for each in result.gaps if each.comparison.term == "gender"]
                    found += [each.found for each in gender if each.comparison.is_main]
                cells.append(share(found))
            lines.append(f"| {config} | {nouns} | {said} | {' | '.join(cells)} |")
            print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


def _simulated(rows: pd.DataFrame, parts: Mapping[str, float], gap: float) -> Callable[[int], Floats]:
    return partial(draw, rows, parts, rng=np.random.default_rng(20), gender_gap=gap)


def _with_coins(rows: pd.DataFrame, scores: Floats, gap: float) -> Callable[[int], Floats]:
    """Draw systems from a real one: no gap is left on any item, a coin per meaning swaps the sides, a gap is added."""
    rng = np.random.default_rng(20)
    of_row = pd.Series(scores, index=rows.index)
    level = of_row - of_row.groupby([rows["gender"], rows["item"]]).transform("mean")
    level += of_row.groupby(rows["item"]).transform("mean")
    pair = code(rows["pair"], *(rows[axis] for axis in ("age",) if axis in rows))
    middle = level.groupby(pair).transform("mean")
    meaning = code(rows["family"])
    side = np.where(rows["gender"] == "female", gap / 2, -gap / 2)

    def drawn(number: int) -> Floats:
        coins = rng.choice((1.0, -1.0), size=(number, int(meaning.max()) + 1))[:, meaning]
        return np.asarray(middle.to_numpy() + coins * (level - middle).to_numpy() + side)

    return drawn


def power() -> str:
    """Tell the power that `eec_bias.power` prints for a gap of race, and how often the answer is a gap.

    The gap is the one that a test of this design is said to catch 8 times in 10.
    """
    lines = ["| names | items | families | V ratio | gap | predicted | simulated |", "|--:|--:|---|--:|--:|--:|--:|"]
    for names in (10, 100):
        for items in (8, 20, "papers"):
            rows = rows_of("en-black-white-100", names, items)
            for said, of_families in (("none", 0.0), ("half of the variance", 0.5)):
                cells = _power_cells(rows, of_families)
                lines.append(f"| {names} | {rows['item'].nunique()} | {said} | {' | '.join(cells)} |")
                print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


def _power_cells(rows: pd.DataFrame, of_families: float) -> list[str]:
    """Return how much families add to the variance over names, the gap, and its power predicted and simulated."""
    names, several = 0.03**2, rows["template"].nunique() < rows["item"].nunique()
    spread = sds(0.03, template=0.02 if several else 0.0, item=0.02)
    parts = {
        **spread,
        "persons": float(np.sqrt(names * (1 - of_families))),
        "families": float(np.sqrt(names * of_families)),
    }
    ratio = 1.0
    if of_families:
        nulls = results(rows, partial(draw, rows, parts, rng=np.random.default_rng(19)), 200)
        ratios = [_ratio(row) for result, _ in nulls for row in result.overall if _is_race_by_name(row)]
        ratio = max(1.0, float(np.mean(ratios)))
    told = eec_bias.power(rows, "race", (0.0,), components=spread, families=ratio, systems=200, seed=1)
    gap = float(told["mde"].iloc[0])
    told = eec_bias.power(rows, "race", (gap,), components=spread, families=ratio, systems=SYSTEMS_OF_POWER, seed=2)
    predicted, found = float(told["power_adjusted"].iloc[0]), []
    drawn = partial(draw, rows, parts, rng=np.random.default_rng(20), race_gap=gap)
    for result, _ in results(rows, drawn, SYSTEMS_OF_POWER):
        found += [each.found for each in result.gaps if _is_race_by_name(each.row)]
    return [f"{ratio:.2f}", f"{100 * gap:.1f}", rate(predicted), share(found)]


def _is_race_by_name(row: Term) -> bool:
    return (row.term, row.subset) == ("race", "names")


def _ratio(row: Term) -> float:
    """Return V_name/V_N of a row."""
    if not row.family_facet or not row.se_names or not row.se_families:
        return 1.0
    return float(row.se_families / row.se_names) ** 2


def growing() -> str:
    """Tell how often a gap is found if names are added until one is, where nobody is treated differently."""
    rows = rows_of("en-black-white-100", items=20)
    sizes = (16, 24, 36, 50, 70, 100)
    kept = {size: set(rows_of("en-black-white-100", size, 20)["id"]) for size in sizes}
    rng = np.random.default_rng(20)
    drawn = {f"s{n}": scores for n, scores in enumerate(draw(rows, sds(), SYSTEMS, rng))}
    found = np.zeros((len(sizes), SYSTEMS), dtype=bool)
    race = found.copy()
    for step, size in enumerate(sizes):
        chosen = rows["id"].isin(kept[size]).to_numpy()
        part = rows[chosen].reset_index(drop=True)
        chunks = (list(drawn)[start : start + AT_ONCE] for start in range(0, SYSTEMS, AT_ONCE))
        for named in chunks:
            result = eec_bias.measure({name: drawn[name][chosen] for name in named}, part, score_range=None, control=0)
            for each in result.gaps:
                place = int(str(each.system)[1:])
                found[step, place] |= each.found
                race[step, place] |= _is_race_by_name(each.row) and each.row.p < ALONE
    lines = ["| names of each group | any gap found | race, alone at .05 |", "|---|--:|--:|"]
    lines += [f"| {size} | {share(found[step])} | {share(race[step])} |" for step, size in enumerate(sizes)]
    until = " | ".join(share(each.any(axis=0)) for each in (found, race))
    return "\n".join([*lines, f"| 16 to 100, until one is found | {until} |"])


PARTS: dict[str, Callable[[], str]] = {
    "whole": whole_report,
    "close": close,
    "endings": endings,
    "strata": strata,
    "planted": planted,
    "power": power,
    "growing": growing,
}


def main() -> None:
    """Print the parts that were named."""
    for name in sys.argv[1:] or PARTS:
        print(f"<!-- {name} -->\n\n{PARTS[name]()}\n", flush=True)


if __name__ == "__main__":
    main()
