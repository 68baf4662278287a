"""What a server installs: the files of everything that `taisai[server]` asks for, in this environment."""

from collections.abc import Iterable
from importlib.metadata import distribution

from packaging.requirements import Requirement


def asked_for(name: str, extras: Iterable[str] = (), found: set[str] | None = None) -> set[str]:
    """The distributions that one needs, and those that they need."""
    found = set() if found is None else found
    for raw in distribution(name).requires or ():
        needs = Requirement(raw)
        wanted = needs.marker is None or any(needs.marker.evaluate({"extra": each}) for each in ("", *extras))
        if wanted and (known := f"{needs.name.lower()}{sorted(needs.extras)}") not in found:
            found.add(known)
            asked_for(needs.name, needs.extras, found)
    return found


def megabytes(name: str) -> float:
    """What the files of a distribution take."""
    files = [file.locate() for file in distribution(name).files or ()]
    return sum(path.stat().st_size for path in files if path.is_file()) / 1e6  # type: ignore[attr-defined]  # a path


def server_sizes() -> dict[str, float]:
    """Megabytes by distribution, without Taisai itself, which is linked here and not installed."""
    names = {each.partition("[")[0] for each in asked_for("taisai", ["server"])} - {"taisai"}
    return {name: megabytes(name) for name in names}


def main() -> None:
    sizes = server_sizes()
    largest = sorted(sizes.items(), key=lambda each: -each[1])[:6]
    print(f"  taisai[server]: {sum(sizes.values()):.0f} MB in {len(sizes)} distributions")
    print("  " + ", ".join(f"{name} {size:.0f}" for name, size in largest))


if __name__ == "__main__":
    main()
