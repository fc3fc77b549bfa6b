from importlib import util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "real_model_figures.py"
_spec = util.spec_from_file_location("real_model_figures", SCRIPT)
assert _spec is not None and _spec.loader is not None
figures = util.module_from_spec(_spec)
_spec.loader.exec_module(figures)

LOG = """\
llama_perf_context_print: total time = 5 ms
INFO:     127.0.0.1:1 - "GET /v1/models HTTP/1.1" 200 OK
INFO:     127.0.0.1:2 - "POST /v1/chat/completions HTTP/1.1" 500 Internal Server Error
INFO:     127.0.0.1:2 - "POST /v1/chat/completions HTTP/1.1" 200 OK
"""


def part(**changed):
    return {
        "cases": [{}, {}],
        "requests_at_server": {"200": 2},
        "rows": 2,
        "maybe_paid": 0,
    } | changed


def test_requests_are_counted_from_the_log_of_the_server(tmp_path):
    log = tmp_path / "server.log"
    log.write_text(LOG, encoding="utf-8")
    assert figures.requests_at(log) == {"200": 1, "500": 1}


@pytest.mark.parametrize(
    ("text", "finish_reason", "shape"),
    [
        (" \n", "stop", "empty"),
        ('{"score": 1}', "stop", "JSON object"),
        ('{"score": 1', "length", "JSON, broken off, at the limit"),
        ('{"score": 1', "stop", "JSON, broken off"),
        ("[1]", "stop", "JSON, no object"),
        ("I think so", "stop", "no JSON"),
        ('Here:\n```json\n{"score": 1}\n```', "stop", "JSON amid other text"),
    ],
)
def test_a_reply_is_called_what_it_looks_like(text, finish_reason, shape):
    assert figures.shape(text, finish_reason) == shape


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, None),
        ({"cases": [{}]}, "1 cases ended in a state, 2 were to be judged"),
        ({"rows": 1}, "2 requests at the server, 1 rows in the ledger"),
        ({"maybe_paid": 1}, "1 requests have no outcome"),
        ({"crash": "Traceback\nKeyError: 'x'\n"}, "KeyError: 'x'"),
    ],
)
def test_what_is_not_accounted_for_is_told(changed, said):
    assert figures.missing(part(**changed), 2) == ([] if said is None else [said])
