"""Printed text on a paper's procedure: its tables and how it errs, no findings."""

import eec_bias
import eec_datasets


def test_no_finding_is_told_of_a_test_that_does_not_hold_its_level() -> None:
    data = eec_datasets.load("en-sample")
    scores = eec_bias.simulate(data, effects={"gender": 0.1}, seed=1)
    text = str(eec_bias.methods.kiritchenko2018(scores, data))
    assert "such audits" not in text
    assert "can find gaps that do not exist" in text
