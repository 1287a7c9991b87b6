"""Releases of TRL that are installed in environments of their own, to be asked."""

from __future__ import annotations

import pytest

from tests.oracle.trl import ask
from tests.oracle.trl_environments import ENVIRONMENTS, environment_of


@pytest.fixture(params=[release for environment in ENVIRONMENTS for release in environment.releases])
def release(request):
    """A release of TRL."""
    if not environment_of(request.param).python.exists():
        pytest.skip("no environment: python -m tests.oracle.trl_environments")
    return request.param


@pytest.fixture
def answers(released_wheel, release):
    """Asks the release under test."""

    def get(cases):
        return ask(environment_of(release).python, released_wheel("trl", release), cases)

    return get
