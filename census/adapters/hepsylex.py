"""The lists of HepSyLex, by its own way to count: words are split at spaces, so a full stop stays on the last one."""

from serve import SYSTEM, serve
from hepsylex.Lexicons import Lexicons
from hepsylex.LexiconsAPI import LexiconsAPI

LISTS = {
    "hepsylex-valence": ("Valence_Positive", "Valence_Negative"),
    "hepsylex-joy": ("EmotionalVariety_Joy", "EmotionalVariety_NotJoy"),
}
positive, negative = (getattr(Lexicons, name) for name in LISTS[SYSTEM])
count, length = LexiconsAPI.number_of_words_in_lexicon, LexiconsAPI.number_of_words
serve("hepsylex", [-1, 1], lambda text: (count(text, positive) - count(text, negative)) / max(1, length(text)))
