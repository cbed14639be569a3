from serve import serve, words
from afinn import Afinn

lexicon = Afinn()
serve("afinn", [-5, 5], lambda text: lexicon.score(text) / max(1, len(words(text))))
