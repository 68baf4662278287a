"""The short verifier is printed in the docs as it is."""

from tests.node import ROOT


def test_the_docs_print_the_file_that_is_tested() -> None:
    """Whoever copies it from the page has the one that the tests run."""
    text = (ROOT / "examples" / "verify_receipt.py").read_text(encoding="utf-8").rstrip()
    page = (ROOT / "docs" / "guides" / "receipts.md").read_text(encoding="utf-8")
    assert f'```text title="examples/verify_receipt.py"\n{text}\n```' in page
