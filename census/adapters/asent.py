from serve import LANGUAGE, serve
import asent  # noqa: F401 - registers its components
import spacy

nlp = spacy.blank(LANGUAGE)
nlp.add_pipe("sentencizer")
nlp.add_pipe(f"asent_{LANGUAGE}_v1")
serve("asent", [-1, 1], lambda texts: [doc._.polarity.compound for doc in nlp.pipe(texts)], many=True)
