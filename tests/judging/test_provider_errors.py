from datetime import UTC, datetime
from decimal import Decimal

import pytest

from citeval_assets.judging.provider_errors import ProviderError, failure_from
from citeval_assets.playbooks.vocabulary import Reason

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def failed(**fields):
    error = ProviderError(**{"message": "m", **fields})
    return failure_from(error, error.message, NOW)


@pytest.mark.parametrize(
    ("status", "code", "reason", "retryable"),
    [
        (429, "rate_limit_exceeded", Reason.RATE_LIMITED, True),
        (429, "insufficient_quota", Reason.NO_CREDIT, False),
        (500, "", Reason.UNREACHABLE, True),
        (503, "", Reason.UNREACHABLE, True),
        (529, "overloaded", Reason.UNREACHABLE, True),
        (408, "", Reason.TIMEOUT, True),
        (400, "", Reason.BAD_REQUEST, False),
        (400, "context_length_exceeded", Reason.CONTEXT_TOO_LONG, False),
        (413, "", Reason.CONTEXT_TOO_LONG, False),
        (400, "content_filter", Reason.CONTENT_FILTER, False),
        (401, "invalid_api_key", Reason.BAD_KEY, False),
        (403, "", Reason.BAD_KEY, False),
        (402, "", Reason.NO_CREDIT, False),
        (404, "model_not_found", Reason.MODEL_GONE, False),
        (422, "", Reason.BAD_REQUEST, False),
        (418, "", Reason.BAD_REQUEST, False),
    ],
)
def test_each_status_has_its_reason_and_only_what_may_pass_is_tried_again(
    status, code, reason, retryable
):
    failure = failed(status=status, code=code)
    assert (failure.reason, failure.retryable, failure.http_status) == (reason, retryable, status)


@pytest.mark.parametrize(
    ("message", "kind", "reason"),
    [
        ("Connection error.", "InternalServerError", Reason.UNREACHABLE),
        ("Request timed out.", "Timeout", Reason.TIMEOUT),
        ("rate limit", "RateLimitError", Reason.RATE_LIMITED),
    ],
)
def test_without_a_status_it_is_the_line_and_tried_again(message, kind, reason):
    failure = failed(message=message, kind=kind)
    assert (failure.reason, failure.retryable) == (reason, True)


def test_what_was_refused_is_not_billed_what_was_lost_may_be():
    assert failed(status=429).cost.usd == Decimal(0)
    assert failed(message="Connection error.").cost.usd is None
    assert failed(message="Connection error.").cost.note == "unknown whether billed"


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"parameter": "temperature"}, "temperature"),
        ({"parameter": "response_format.json_schema"}, "response_format"),
        ({"message": "`temperature` is not supported with this model"}, "temperature"),
        ({"message": "Unsupported parameter: 'max_tokens'"}, "max_tokens"),
        ({"message": "json_schema is not supported by this server"}, "response_format"),
        ({"message": "temperature is too hot in here"}, None),
        ({"parameter": "seed"}, None),
    ],
)
def test_a_refused_parameter_is_recognised(fields, refused):
    assert ProviderError(**{"message": "m", "status": 400, **fields}).refused_parameter == refused


def test_a_server_that_calls_a_refusal_its_own_error_is_understood():
    told = "1 validation error: response_format.type: Input should be 'text' or 'json_object'"
    assert ProviderError(told, status=500).refused_parameter == "response_format"


def test_a_refusal_with_status_500_is_a_bad_request_and_not_tried_again_as_it_was():
    failure = failed(message="response_format.type: Input should be 'text'", status=500)
    assert (failure.reason, failure.retryable) == (Reason.BAD_REQUEST, False)


def test_only_a_refused_request_refuses_parameters():
    error = ProviderError("the server had an error", status=500, parameter="temperature")
    assert error.refused_parameter is None


def test_an_error_is_taken_apart_whatever_it_carries():
    odd = ValueError("outer")
    odd.__dict__.update(
        status_code=400,
        body={"error": {"message": "inner", "code": 7, "param": None}},
        headers={"Retry-After": "3"},
    )
    error = ProviderError.of(odd)
    assert (error.message, error.code, error.status, error.retry_after) == ("inner", "7", 400, "3")
    assert ProviderError.of(ValueError("plain")).status is None


def test_a_status_without_a_response_is_of_the_library_s_making():
    class Made(Exception):
        status_code = 500

    assert ProviderError.of(Made("Connection error.")).status is None


def test_a_detail_is_kept_short():
    assert len(failed(message="x" * 5000).detail) == 500
