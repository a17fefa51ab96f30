"""Writes docs/python-reference.md from the docstrings of the installed package: ``python tools/reference.py``; ``--check`` compares."""

import difflib
import importlib
import inspect
import pathlib
import re
import sys

import engine2d

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "python-reference.md"
MODULES = ("plot", "gym")


def text(thing):
    """What a thing says of itself, without examples of the interpreter's prompt."""
    said = inspect.getdoc(thing) or ""
    lines = []
    for line in said.splitlines():
        if line.startswith((">>>", "...")):
            break
        lines.append(line.replace("``", "`"))
    return "\n".join(lines).strip()


def signature(thing):
    """How it is called, without types: those are in the stubs."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    plain = [p.replace(annotation=p.empty) for name, p in found.parameters.items() if name not in ("self", "cls")]
    shown = str(found.replace(parameters=plain, return_annotation=inspect.Signature.empty))
    return re.sub(r" at 0x[0-9a-f]+|<([\w.]+) object>", r"\1", re.sub(r"<function [^>]*>", "function", shown))


def members(kind):
    """What a class has, its own and what it has of the part in Rust."""
    hidden = set(dir(Exception)) | set(dir(object))
    foreign = [base for base in kind.__mro__ if base.__module__.split(".")[0] not in ("engine2d", "builtins")]
    foreign = {name for base in foreign for name in vars(base) if base is not object}
    own = {name for base in kind.__mro__ if base.__module__.startswith("engine2d") for name in vars(base)}
    for name in sorted(own - (hidden if issubclass(kind, Exception) else set()) - (foreign - own)):
        if name.startswith("_"):
            continue
        member = inspect.getattr_static(kind, name)
        found = getattr(kind, name, None)
        if callable(found):
            yield f"{name}{signature(found)}", text(found)
        elif inspect.isdatadescriptor(member) and text(member):
            yield name, text(member)


def entry(lines, name, thing, depth):
    if inspect.isclass(thing):
        lines += [f"{'#' * depth} `{name}`", "", text(thing), ""]
        rows = list(members(thing))
        if rows:
            lines += ["| member | |", "|---|---|"]
            lines += [f"| `{call}` | {' '.join(said.split()).replace('|', chr(92) + '|')} |" for call, said in rows]
            lines.append("")
    elif callable(thing):
        lines += [f"{'#' * depth} `{name}{signature(thing)}`", "", text(thing), ""]


def page():
    lines = ["# Reference of the package of Python", ""]
    lines += ["Written by `crates/engine2d-python/tools/reference.py` from the docstrings; [Python](python.md) is the guide.", ""]
    lines += ["## `engine2d`", "", text(engine2d), ""]
    for name in engine2d.__all__:
        if not inspect.ismodule(getattr(engine2d, name)):
            entry(lines, f"engine2d.{name}", getattr(engine2d, name), 3)
    for module in MODULES:
        found = importlib.import_module(f"engine2d.{module}")
        lines += [f"## `engine2d.{module}`", "", text(found), ""]
        for name in found.__all__:
            entry(lines, f"engine2d.{module}.{name}", getattr(found, name), 3)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


if __name__ == "__main__":
    written = page()
    if "--check" not in sys.argv:
        PAGE.write_text(written, encoding="utf-8")
    elif (there := PAGE.read_text(encoding="utf-8")) != written:
        difference = difflib.unified_diff(there.splitlines(), written.splitlines(), "committed", "docstrings", lineterm="")
        print("\n".join(list(difference)[:40]))
        sys.exit("docs/python-reference.md is not that of the docstrings: run tools/reference.py")
