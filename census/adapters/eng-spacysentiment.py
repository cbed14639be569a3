from serve import serve
import eng_spacysentiment

nlp = eng_spacysentiment.load()


def score(texts):
    return [doc.cats["positive"] - doc.cats["negative"] for doc in nlp.pipe(texts)]


serve("eng-spacysentiment", [-1, 1], score, many=True)
