"""Golden playthroughs: whole rounds as text, made anew by `make golden` and reviewed as a diff."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import tests.golden.playthroughs.scenes_limits  # noqa: F401 - puts its scenes on the list
from tests.golden.playthroughs.scenes import SCENES, Scene, pay_table_of

HERE = Path(__file__).parent


def playthrough(scene: Scene, rulebook: str) -> str:
    """One scene as a text that can be read from top to bottom."""
    pay_table = pay_table_of(rulebook)
    heading = f"{pay_table}: {scene.name.replace('-', ' ')}\n{scene.about}"
    return "\n\n".join([heading, *(table.finish() for table in scene.play(pay_table))]) + "\n"


GOLDEN: dict[Path, Callable[[], str]] = {
    HERE / rulebook / f"{scene.name}.playthrough": partial(playthrough, scene, rulebook)
    for scene in SCENES
    for rulebook in scene.rulebooks
}
