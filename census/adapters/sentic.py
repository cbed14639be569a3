from serve import LANGUAGE, serve
from sentic import SenticPhrase

serve("sentic", [-1, 1], lambda text: SenticPhrase(text, LANGUAGE).results["polarity"])
