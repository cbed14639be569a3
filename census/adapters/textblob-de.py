from serve import serve
from textblob_de import PatternTokenizer, TextBlobDE

# The tokenizer that it takes by default is downloaded.
tokenizer = PatternTokenizer()
serve("textblob-de", [-1, 1], lambda text: TextBlobDE(text, tokenizer=tokenizer).sentiment.polarity)
