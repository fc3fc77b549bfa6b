import pytest

from citeval_assets.judging.answered import answers_as


@pytest.mark.parametrize(
    ("requested", "answered"),
    [
        ("openai/gpt-4o", "gpt-4o"),
        ("openai/gpt-4o", "gpt-4o-2024-08-06"),
        ("openai/gpt-4", "gpt-4-0613"),
        ("anthropic/claude-sonnet-4-5", "claude-sonnet-4-5-20250929"),
        ("gemini/gemini-1.5-pro", "gemini-1.5-pro-001"),
        ("gemini/gemini-2.5-flash", "models/gemini-2.5-flash"),
        ("gemini/gemini-2.5-flash", "gemini-2.5-flash-09-2025"),
        ("bedrock/anthropic.claude-3-haiku", "anthropic.claude-3-haiku-20240307-v1:0"),
        ("ollama/llama3.2", "llama3.2:latest"),
        ("mistral/mistral-large-latest", "mistral-large-2411"),
        ("openai/meta-llama/Llama-3.3-70B", "meta-llama/llama-3.3-70b"),
        ("openrouter/anthropic/claude-3.5-sonnet", "anthropic/claude-3.5-sonnet"),
        ("embedded/overlap-0", "embedded/overlap-0@0.1"),
        ("prov/judge-1", "judge-1@1.2.3"),
        ("prov/judge-1", None),
        ("prov/judge-1", ""),
    ],
)
def test_the_same_model_under_a_longer_name(requested, answered):
    assert answers_as(requested, answered)


@pytest.mark.parametrize(
    ("requested", "answered"),
    [
        ("prov/judge-1", "prov/judge-1-mini"),
        ("openai/gpt-4o", "gpt-4o-mini"),
        ("openai/gpt-4o", "gpt-4o-mini-2024-07-18"),
        ("openai/gpt-4", "gpt-4.1"),
        ("openai/gpt-4", "gpt-4o"),
        ("openai/gpt-4o-2024-08-06", "gpt-4o-2024-11-20"),
        ("anthropic/claude-3-sonnet", "claude-3-opus"),
        ("anthropic/claude-3", "claude-3-5"),
        ("azure/my-deployment", "gpt-4o-2024-08-06"),
        ("openai/judge", "judgement"),
    ],
)
def test_another_model(requested, answered):
    assert not answers_as(requested, answered)
