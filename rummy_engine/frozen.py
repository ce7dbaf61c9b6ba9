"""Dictionaries that nobody can change, for parts of values that are handed out; to JSON and pickle they are dicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn


class FrozenDict(dict[str, Any]):
    """A dict whose content stays what it was; tables and lists in it are frozen too, lists as tuples.

    >>> FrozenDict({"left": [1, 2]})
    {'left': (1, 2)}
    """

    __slots__ = ()

    def __init__(self, content: Mapping[str, Any]) -> None:
        super().__init__({name: frozen(value) for name, value in content.items()})

    def _refuse(self, *args: object, **kwargs: object) -> NoReturn:
        raise TypeError("this value is immutable: change a copy, as dict(value)")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple[type[FrozenDict], tuple[dict[str, Any]]]:
        return type(self), (dict(self),)

    def __deepcopy__(self, memo: object) -> FrozenDict:
        return self


def frozen(value: Any) -> Any:
    """The value, with dicts and lists in it frozen."""
    if isinstance(value, FrozenDict):
        return value
    if isinstance(value, Mapping):
        return FrozenDict(value)
    return tuple(map(frozen, value)) if isinstance(value, (list, tuple)) else value
