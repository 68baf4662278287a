"""How a record's fault is said: where, what, and for people in their language."""

from taisai.record.faults import RecordFault


def test_a_fault_says_where_and_what_and_keeps_its_facts_for_other_languages() -> None:
    """One line in English; code and facts are for whoever makes the sentence anew."""
    fault = RecordFault(
        "commit 7 of w", "the signature is not right", "signature_wrong", commit=7, writer="w"
    )
    assert str(fault) == "commit 7 of w: the signature is not right"
    assert (fault.code, fault.facts) == ("signature_wrong", {"commit": 7, "writer": "w"})


def test_a_fault_without_a_sentence_of_its_own_has_neither_code_nor_facts() -> None:
    """It is told as it is."""
    fault = RecordFault("T1/3", "a bet is missing")
    assert (fault.where, fault.what, fault.code, fault.facts) == ("T1/3", "a bet is missing", "", {})
