"""The templates of reports: one page, and a template for each form of it."""

from functools import cache
from importlib.resources import files
from typing import Any

from taisai.odds.extras import needs


@cache
def template(name: str) -> Any:
    """A template of this package; one that ends in .html escapes whatever is put into it."""
    jinja2 = needs("jinja2")
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(packaged),
        autoescape=lambda each: str(each).endswith(".html"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name)


def packaged(name: str) -> str:
    """The text of a file beside this module."""
    return (files("taisai.odds.report") / name).read_text(encoding="utf-8")
