"""The lists of EmoAtlas: their modules are read as text, as importing the package needs spaCy 3.7.2 and models."""

from serve import LANGUAGE, serve, words
import ast
from importlib.util import find_spec
from pathlib import Path

LANGUAGES = {
    "en": "english", "es": "spanish", "de": "german", "fr": "french", "it": "italian", "pt": "portuguese",
    "ru": "russian",
}  # fmt: skip

folder = Path(find_spec("emoatlas").submodule_search_locations[0], "valence")
module = ast.parse((folder / f"{LANGUAGES[LANGUAGE]}.py").read_text(encoding="utf-8"))
lists = {
    node.targets[0].id: ast.literal_eval(node.value.args[0]) for node in module.body if isinstance(node, ast.Assign)
}
positive, negative = ({word.lower() for word in lists[name]} for name in ("_positive", "_negative"))


def score(text):
    tokens = words(text)
    return sum((word in positive) - (word in negative) for word in tokens) / max(1, len(tokens))


serve("emoatlas", [-1, 1], score)
