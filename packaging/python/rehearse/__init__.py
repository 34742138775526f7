"""Mocks of Rehearsal scenarios in Python tests. The pytest plug-in is in `rehearse.pytest_plugin`."""

from ._mock import Endpoint, Mock, MockFailed, Refused, serve
from ._program import ProgramMissing, program
from ._sweep import SweepFailed, TookTooLong, sweep

__all__ = [
    "Endpoint",
    "Mock",
    "MockFailed",
    "ProgramMissing",
    "Refused",
    "SweepFailed",
    "TookTooLong",
    "program",
    "serve",
    "sweep",
]
