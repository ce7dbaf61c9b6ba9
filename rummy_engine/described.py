"""Fields that `help()` can explain: a class names each of its fields in its docstring, and this hands the texts out."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import TypeVar

_T = TypeVar("_T")

_FIELD = re.compile(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)


def described(cls: type[_T]) -> type[_T]:
    """Gives each field of a NamedTuple what the docstring says of it under "Fields:", as the field's own docstring.

    Python would call a field "Alias for field number 3", and a text below it is seen by no program.

    >>> from rummy_engine import RoundResult
    >>> RoundResult.points.__doc__
    'What the round added to the match score, per seat.'
    """
    for name, text in fields_of(cls).items():
        vars(cls)[name].__doc__ = text
    return cls


def fields_of(cls: type) -> dict[str, str]:
    """What the docstring of a class says of its fields, by name; empty without docstrings (`python -OO`)."""
    _, _, listed = cleandoc(cls.__doc__ or "").partition("\nFields:\n")
    return {name: " ".join(text.split()) for name, text in _FIELD.findall(listed.partition("\n\n")[0])}
