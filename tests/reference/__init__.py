"""A slow, plain engine that shares no code with rummy_engine: the oracle the fast one is compared with."""

from .engine import ReferenceGame
from .state import State

__all__ = ["ReferenceGame", "State"]
