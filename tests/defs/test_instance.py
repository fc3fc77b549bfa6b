"""The database of Dagster fails: told in words, with what to do."""

from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError, OperationalError

from citeval_assets.defs.instance import InstanceUnusable, usable


def test_a_database_that_fails_is_named_with_its_folder_and_cause():
    with (
        pytest.raises(InstanceUnusable, match="disk I/O error") as told,
        usable(Path("/srv/home")),
    ):
        raise OperationalError("INSERT ...", {}, Exception("disk I/O error"))
    assert "/srv/home" in str(told.value)
    assert "INSERT" not in str(told.value)


def test_other_errors_are_left_as_they_are():
    with pytest.raises(IntegrityError), usable(Path("/srv/home")):
        raise IntegrityError("INSERT ...", {}, Exception("UNIQUE"))
