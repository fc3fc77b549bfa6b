"""Keys are never accepted in configuration, and never repeated in an error."""

import pytest

from citeval_assets.config.secrets import SecretInConfig, find_secrets, refuse_secrets

CANARY = "canary-secret-000777"


@pytest.mark.parametrize(
    "name",
    ["api_key", "apiKey", "API-KEY", "openai_api_key", "token", "auth_token", "password",
     "client_secret", "Authorization", "x-api-key", "aws_secret_access_key", "private_key"],
)  # fmt: skip
def test_a_key_under_any_of_its_names_is_refused_without_being_shown(name: str):
    with pytest.raises(SecretInConfig) as caught:
        refuse_secrets({"judge": [{name: CANARY}]}, "run configuration")
    assert "secret in config" in str(caught.value)
    assert f"judge[0].{name}" in str(caught.value)
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        "sk-proj-abcdefghijklmnop1234",
        "Bearer abcdefghijkl",
        "https://user:hunter2@host/v1",
        "postgresql+psycopg2://citeval:hunter2@db/citeval",
        "https://host/v1?key=abcdefgh1234",
    ],
)
def test_a_value_that_is_plainly_a_key_is_refused_wherever_it_stands(value: str):
    found = list(find_secrets({"models": [{"params": {"extra_headers": {"x": value}}}]}))
    assert len(found) == 1
    assert value not in found[0][1] and "hunter2" not in found[0][1]


@pytest.mark.parametrize(
    "entry",
    [
        {"api_key_env": "OPENAI_API_KEY"},
        {"max_tokens": 5, "token_budget": 9, "tokens_per_minute": 3},
        {"id": "openai/gpt-x", "key": ""},
        {"api_base": "http://127.0.0.1:8080/v1"},
        {"question": "What is an api_key?"},
    ],
)
def test_plain_settings_pass(entry: dict[str, object]):
    refuse_secrets(entry)


def test_a_key_in_place_of_the_name_of_its_variable_is_not_shown():
    with pytest.raises(SecretInConfig) as caught:
        refuse_secrets({"api_key_env": f"sk-{CANARY}"})
    assert CANARY not in str(caught.value)
    assert "name of an environment variable" in str(caught.value)
