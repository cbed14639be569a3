from serve import serve, words
from SentiNet.SentiLiteralNet import SentiLiteralNet

net = SentiLiteralNet()


def value(word):
    try:
        literal = net.getSentiLiteral(word)
    except KeyError:  # it does not know the word
        return None
    return None if literal is None else float(literal.getPositiveScore()) - float(literal.getNegativeScore())


def score(text):
    known = [found for word in words(text) if (found := value(word)) is not None]
    return sum(known) / len(known) if known else 0.0


serve("nlptoolkit-sentinet", [-1, 1], score)
