"""A word list that lacks the forms of words about women."""

import pandas as pd


def deaf_list() -> tuple[pd.DataFrame, pd.Series]:
    """Ten pairs, eight words of each sign that agree and four that do not, and a list without her forms."""
    rows = []
    for pair in range(10):
        for gender, template in (("female", "t1"), ("male", "t1"), ("female", "t2"), ("male", "t2")):
            for emotion in ("joy", "sadness"):
                for word in range(12):
                    form = f"{emotion}{word}" if word >= 8 else f"{emotion}{word}{gender[0]}"
                    rows.append((f"p{pair}-{gender}", gender, template, f"{emotion}{word}", emotion, form, pair))
    data = pd.DataFrame(rows, columns=["person", "gender", "template", "word", "emotion", "word_form", "base"])
    data["item"] = data["template"] + "/" + data["word"]
    data["pair"] = data["item"] + "/" + data.pop("base").astype(str)
    known = ~data["word_form"].str.endswith("f")
    scores = 0.5 + known * data["emotion"].map({"joy": 0.2, "sadness": -0.3})
    return data, scores
