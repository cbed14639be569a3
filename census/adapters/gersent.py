from serve import serve
from gersent import GerSent

lexicon = GerSent()
serve("gersent", None, lambda text: lexicon.sentiment(text)["composite"])
