import pytest

from citeval_assets.embedded.registry import embedded_model, embedded_models


def test_models_are_found_by_their_name():
    for name in (
        "embedded/overlap-0",
        "embedded/lexical-1",
        "embedded/extractive-0",
        "embedded/extractive-1",
        "embedded/recorded-0",
    ):
        assert embedded_model(name).name == name


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(KeyError, match="overlap-0"):
        embedded_model("embedded/overlap-9")


def test_every_model_has_a_version_and_a_title():
    assert all(model.version and model.title for model in embedded_models().values())
