"""What several files of tests need."""

import os

import pytest


@pytest.fixture(scope="session")
def command():
    """The path of the command, whose runs and sweeps are what those of the package are compared with."""
    path = os.environ.get("ENGINE2D_COMMAND")
    if not path:
        pytest.fail("set ENGINE2D_COMMAND to the command `engine2d` (target/release/engine2d after a build) to compare with")
    return path
