"""The preview shows minimal pairs and marks what changes inside each."""

from eec_datasets.contribute.preview import Piece, as_html, as_text, marked, preview


def test_the_words_that_the_partner_does_not_share_are_marked():
    assert marked("Mi madre se siente triste.", "Mi padre se siente triste.") == (
        Piece("Mi ", False),
        Piece("madre ", True),
        Piece("se siente triste.", False),
    )


def test_each_template_shows_each_type_of_person_in_each_gender():
    lines = preview("es-gender")
    seen = {(line.template, line.person_type, line.gender) for line in lines}
    for template in [f"t{number:02d}" for number in range(1, 12)]:
        for person_type in ("name", "noun_phrase", "pronoun"):
            assert {(template, person_type, "female"), (template, person_type, "male")} <= seen
    assert ("t01", "pronoun", "neutral-elle") in seen


def test_the_terminal_shows_pairs_one_under_the_other():
    assert as_text(preview("es-anglo-latino", templates=["t01"], words=["angry"])) == (
        "t01\n"
        "  name        female          [Jessica] se siente [enojada.]\n"
        "  name        male            [Michael] se siente [enojado.]\n"
        "  noun_phrase female          [Esta mujer] se siente [enojada.]\n"
        "  noun_phrase male            [Este hombre] se siente [enojado.]\n"
        "  pronoun     female          [Ella] se siente [enojada.]\n"
        "  pronoun     male            [Él] se siente [enojado.]"
    )


def test_the_page_has_the_direction_of_the_script():
    page = as_html(preview("ar-anglo-arab", templates=["t08"]), "ar-anglo-arab", "ar", "not reviewed")
    assert '<td class=sentence lang="ar" dir="rtl">رأيتُ <mark>إيلين</mark> في السوق.</td>' in page
