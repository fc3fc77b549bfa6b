"""A project folder with a configuration, written from a text."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from citeval_assets.config import ConfigError, Settings, load_settings


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., Settings]:
    def write_and_load(text: str, environ: dict[str, str] | None = None) -> Settings:
        (tmp_path / "citeval.yaml").write_text(dedent(text), encoding="utf-8")
        return load_settings(tmp_path, environ or {})

    return write_and_load


@pytest.fixture
def refusal(load: Callable[..., Settings]) -> Callable[..., ConfigError]:
    def write_and_expect_error(text: str, environ: dict[str, str] | None = None) -> ConfigError:
        with pytest.raises(ConfigError) as caught:
            load(text, environ)
        return caught.value

    return write_and_expect_error
