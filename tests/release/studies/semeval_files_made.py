"""Files of the layout of SemEval-2018 Task 1, with sentences made here and none of its own."""

from pathlib import Path

import numpy as np

from eec_datasets.systems.corpus import Corpus, open_corpus, part_of

EMOTIONS = ("anger", "fear", "joy", "sadness")
HEADER = "ID\tTweet\tAffect Dimension\tIntensity Score"

STRONG = {
    "en": ("furious", "terrified", "wonderful", "miserable", "annoying", "shocking", "amazing", "gloomy"),
    "es": ("furioso", "aterrorizado", "maravilloso", "triste", "irritante", "asustada", "excelente", "serio"),
    "ar": ("غضبان", "مذعور", "رائع", "حزين", "مزعج", "صادم", "عظيم", "كئيب"),
}
WEAK = {
    "en": ("table", "window", "bread", "street", "paper", "chair"),
    "es": ("mesa", "ventana", "pan", "calle", "papel", "silla"),
    "ar": ("طاولة", "نافذة", "خبز", "شارع", "ورق", "كرسي"),
}
PEOPLE = {
    "en": ("my mother", "my brother", "she", "he", "Amanda"),
    "es": ("mi madre", "mi hermano", "ella", "él", "Maria"),
    "ar": ("امي", "اخي", "هي", "هو", "مريم"),
}


def name(language: str, affect: str, part: str) -> str:
    tag = language.capitalize()
    if affect == "valence":
        return f"2018-Valence-reg-{tag}-{part}.txt"
    return f"{'' if (language, part) == ('en', 'train') else '2018-'}EI-reg-{tag}-{affect}-{part}.txt"


def make(folder: Path, language: str, affect: str, part: str = "train", count: int = 60) -> Path:
    """Write one file: strong words score high, and some people a little higher."""
    generator = np.random.default_rng([2018, len(affect), len(part), ord(language[0])])
    lines = [HEADER]
    for i in range(count):
        strong = int(generator.integers(0, 3))
        words = [*generator.choice(STRONG[language], strong), *generator.choice(WEAK[language], 3 - strong)]
        who = int(generator.integers(len(PEOPLE[language])))
        score = 0.15 + 0.25 * strong + 0.03 * (who % 2) + float(generator.uniform(0, 0.1))
        text = f"@someone {PEOPLE[language][who]} {' '.join(words)} &amp; #{i}"
        lines.append(f"2018-{language}-{i:05d}\t{text}\t{affect}\t{score:.3f}")
    path = folder / language / "EI-reg" / part / name(language, affect, part)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def make_all(folder: Path, languages: tuple[str, ...]) -> Path:
    """Write training and test files of the emotions, and of valence in English."""
    for language in languages:
        for affect in (*EMOTIONS, *(["valence"] if language == "en" else [])):
            make(folder, language, affect)
            make(folder, language, affect, "test-gold", 20)
    return folder


def few_items(name: str) -> Corpus:
    """Two templates of a corpus, one with words of every emotion and one with none."""
    whole = open_corpus(name)
    return part_of(whole, [row for row, item in enumerate(whole.columns["item"]) if item.startswith(("t01", "t08"))])
