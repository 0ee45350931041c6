"""The shape of a source tree: rooms, longest file and function, class names, circles, lines.

python bench/tree_figures.py [TREE]     by default the tree of this file
"""

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("schemas", "ingest", "replay", "vision", "audit")


class Module(NamedTuple):
    """A source file, read."""

    path: str
    lines: int
    tree: ast.Module


def main() -> None:
    root = Path(sys.argv[1] if sys.argv[1:] else Path(__file__).parents[1])
    modules = [module for package in PACKAGES for module in read(root, package)]
    folders = Counter(str(Path(module.path).parent) for module in modules)
    functions = [found for module in modules for found in sized(module)]
    names = Counter(name for module in modules for name in classes(module))
    twice = sorted(name for name, count in names.items() if count > 1)
    lines = Counter[str]()
    for module in modules:
        lines[room(module.path)] += module.lines
    print(f"{len(modules)} files in {len(folders)} rooms, {sum(m.lines for m in modules):,} lines")
    print("files a room:", ", ".join(f"{name} {count}" for name, count in folders.most_common(12)))
    print("longest files:", ", ".join(f"{m.path} {m.lines}" for m in longest(modules)))
    print("longest functions:", ", ".join(f"{name} {n}" for n, name in sorted(functions)[:-4:-1]))
    print("lines:", ", ".join(f"{name} {count:,}" for name, count in sorted(lines.items())))
    print(f"class names that stand twice: {len(twice)}: {', '.join(twice[:8])}")
    print(f"modules in circles: {len(list(circles(imports(modules))))}")


def read(root: Path, package: str) -> Iterator[Module]:
    for path in sorted((root / package).rglob("*.py")):
        text = path.read_text("utf-8")
        yield Module(str(path.relative_to(root)), text.count("\n"), ast.parse(text))


def room(path: str) -> str:
    """The package of a module; in audit its room, since these were built at different times."""
    package, *rest = Path(path).parts
    return f"{package}/{rest[0]}" if package == "audit" and rest[1:] else package


def longest(modules: Iterable[Module]) -> list[Module]:
    return sorted(modules, key=lambda module: -module.lines)[:4]


def sized(module: Module) -> Iterator[tuple[int, str]]:
    """Each function with its lines."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node.end_lineno - node.lineno + 1, f"{module.path}:{node.name}"


def classes(module: Module) -> Iterator[str]:
    """The names of its public classes."""
    found = (node for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef))
    return (node.name for node in found if not node.name.startswith("_"))


def imports(modules: Iterable[Module]) -> Mapping[str, set[str]]:
    """Each module with those of the tree that it imports, be it inside a function."""
    names = {dotted(module.path): module for module in modules}
    found: dict[str, set[str]] = defaultdict(set)
    for name, module in names.items():
        for node in ast.walk(module.tree):
            found[name] |= {at for at in targets(node, names) if at != name}
    return found


def targets(node: ast.AST, names: Collection[str]) -> Iterator[str]:
    """The modules that a statement imports: a module of a package, else the package."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in names)
    elif isinstance(node, ast.ImportFrom) and (package := node.module or "") in names:
        whole = (f"{package}.{alias.name}" for alias in node.names)
        yield from (name if name in names else package for name in whole)


def dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def circles(imported: Mapping[str, set[str]]) -> Iterator[str]:
    """Modules that come back to themselves through what they import."""
    for name in sorted(imported):
        reached, waiting = set[str](), list(imported[name])
        while waiting:
            module = waiting.pop()
            if module not in reached:
                reached.add(module)
                waiting.extend(imported.get(module, ()))
        if name in reached:
            yield name


if __name__ == "__main__":
    main()
