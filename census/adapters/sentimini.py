from serve import serve
import sentimini

serve("sentimini", [-1, 1], lambda text: sentimini.score(text)["score"])
