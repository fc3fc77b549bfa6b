"""The handed cases about reading text: markers, quotes, characters, hostile runs."""

from typing import Any

import pytest
from linear import NOISE_S

from citeval_assets.text.annotations import claim_text
from citeval_assets.text.invisible import visible
from handed import adapter_text as adapter
from handed.loader import expanded, load_cases

PARSE = load_cases("bug_reports", "citation_parse")
QUOTES = load_cases("bug_reports", "quote_check")
UNICODE = [row for row in load_cases("adversarial", "unicode") if "source" in str(row["input"])]
UNICODE += [row for row in load_cases("adversarial", "unicode") if "pairs" in row["input"]]
REDOS = load_cases("adversarial", "redos")
SIZES = [
    row
    for row in load_cases("adversarial", "size_and_depth")
    if {"trace", "text", "answer"} & row["input"].keys()
]
SCREENED = [
    row
    for row in load_cases("adversarial", "prompt_injection", "placeholder_injection")
    if {"source", "sources", "trace", "answer"} & row["input"].keys()
]
KNOWN_FLAGS = {
    "invisible_characters",
    "direction_controls",
    "tag_characters",
    "mixed_scripts",
    "injection_suspected",
}


def by_id(rows: list[dict[str, Any]]) -> Any:
    return pytest.mark.parametrize(
        "row", [pytest.param(row, id=row["id"]) for row in {r["id"]: r for r in rows}.values()]
    )


@by_id([row for row in PARSE if "text" in row["input"] and "annotations" not in row["input"]])
def test_citations_are_read_as_the_case_says(row: dict[str, Any]) -> None:
    given, expect = expanded(row["input"]), row["expect"]
    if "sources" in given and adapter.load_error(given["sources"]):
        assert any("error" in key or "raises" in key for key in expect)
        return
    found = adapter.scan(given)
    for marker in found.marks:
        assert given["text"][marker.start : marker.end] == marker.text
    if "markers" in expect and isinstance(expect["markers"], list):
        assert adapter.markers_fit(found, expect["markers"]), found
    if "unresolved" in expect:
        assert list(found.unresolved) == expect["unresolved"]
    if "malformed" in expect:
        assert [marker.text for marker in found.malformed] == expect["malformed"]
    if "warnings_at_least" in expect:
        assert len(found.warnings) >= expect["warnings_at_least"]
    if "numbering" in expect:
        assert str(found.numbering) == expect["numbering"]
    for kept in expect.get("stripped_contains", ()):
        assert kept in adapter.without_citations(given["text"], found)
    if "sentences" in expect:
        _check_claims(adapter.claims_of(given), expect["sentences"])


def _check_claims(claims: list[tuple[str, list[Any]]], wanted: list[list[Any]]) -> None:
    assert len(claims) == len(wanted), claims
    for (text, citations), (words, ids) in zip(claims, wanted, strict=True):
        assert text.rstrip(" .") == words.rstrip(" .")
        assert len(citations) == len(ids)
        for citation, one in zip(citations, ids, strict=True):
            assert str(one) in adapter.names(citation)


@by_id([row for row in PARSE if "sources" in row["input"]])
def test_sources_keep_distinct_ids_or_are_refused(row: dict[str, Any]) -> None:
    sources = expanded(row["input"])["sources"]
    if adapter.load_error(sources) is None:
        ids = [source.id for source in adapter.case_of(sources).sources]
        assert all(ids)
        if len({str(source.get("text", number)) for number, source in enumerate(sources)}) == len(
            sources
        ):
            assert len(set(ids)) == len(sources)


@by_id([row for row in PARSE if "annotations" in row["input"]])
def test_a_provider_position_supports_the_sentence_before_it(row: dict[str, Any]) -> None:
    claim = adapter.claim_of_annotation(row["input"])
    assert claim_text(claim) == row["expect"]["claim"]


@by_id([row for row in [*QUOTES, *UNICODE] if {"quote", "quotes", "pairs"} & row["input"].keys()])
def test_quotes_match_as_the_case_says(row: dict[str, Any]) -> None:
    given, expect = expanded(row["input"]), row["expect"]
    pairs = adapter.quote_pairs(given)
    named_length = "too_short" in (expect.get("match"), *expect.get("pairs", ()))
    found = [adapter.match(q, s, min_words=3 if named_length else 0) for q, s in pairs]
    kinds = [adapter.kind_of(one) for one in found]
    if "pairs" in expect:
        assert kinds == expect["pairs"]
    if "match" in expect and "sources" not in given:
        assert kinds == [expect["match"]] * len(kinds)
    if "match" in expect and "sources" in given:
        assert any(one.found for one in found) == (expect["match"] != "none")
    if "slice_equals" in expect:
        (one,) = found
        assert "".join(span.of(pairs[0][1]) for span in one.spans) == expect["slice_equals"]
    for one, (_, source) in zip(found, pairs, strict=True):
        for span in one.spans:
            assert span.of(source).strip()


@by_id([row for row in QUOTES if "claims" in row["input"]])
def test_a_quote_that_is_not_found_stays_counted(row: dict[str, Any]) -> None:
    pairs = adapter.quote_pairs(row["input"])
    assert len(pairs) == row["expect"]["n_claims"]
    missing = [one for one in pairs if not adapter.match(*one).found]
    assert len(missing) == row["expect"]["n_quote_not_found"]


@by_id([row for row in UNICODE if "flags" in row["expect"]])
def test_hidden_characters_are_flagged(row: dict[str, Any]) -> None:
    wanted = KNOWN_FLAGS & set(row["expect"]["flags"])
    assert wanted <= adapter.flags_of(row["input"])


@by_id([row for row in UNICODE if isinstance(row["input"].get("source"), str)])
def test_what_hides_is_shown_as_codes(row: dict[str, Any]) -> None:
    shown = visible(row["input"]["source"])
    kinds = {note.kind for note in adapter.invisible_characters(shown)}
    assert not kinds & {"direction_controls", "tag_characters"}


@by_id([*REDOS, *SIZES])
def test_hostile_runs_are_read_in_time(row: dict[str, Any]) -> None:
    given, expect = expanded(row["input"]), row["expect"]
    timed = adapter.timed(lambda: adapter.read_everything(given))
    # Processor time; a slow machine may need four times what the case allows a common one.
    assert timed.seconds < 4 * expect.get("max_seconds", 2)
    if isinstance(expect.get("markers"), int):
        assert len(timed.value.markers) == expect["markers"]
    if "extra_marker_pattern" in given.get("config", {}) and isinstance(timed.value, str):
        assert "pattern too slow" in timed.value


@by_id([row for row in SIZES if "growth_factor_max" in row["expect"]])
def test_the_cost_grows_with_the_length(row: dict[str, Any]) -> None:
    large = expanded(row["input"])
    key = next(name for name in ("trace", "text", "answer") if name in large)
    small = {**large, key: large[key][: len(large[key]) // 10]}
    few = min(adapter.timed(lambda: adapter.read_everything(small)).seconds for _ in range(3))
    many = adapter.timed(lambda: adapter.read_everything(large)).seconds
    assert many <= row["expect"]["growth_factor_max"] * few + NOISE_S


@by_id([row for row in SCREENED if "injection_suspected" in row["expect"].get("flags", ())])
def test_planted_orders_are_suspected(row: dict[str, Any]) -> None:
    assert "injection_suspected" in adapter.flags_of(row["input"])


@by_id([row for row in SCREENED if "markers" in row["expect"] or "unresolved" in row["expect"]])
def test_planted_text_makes_no_citation(row: dict[str, Any]) -> None:
    found = adapter.scan(
        {key: one for key, one in row["input"].items() if key != "source"}
        if "trace" in row["input"]
        else row["input"]
    )
    if "markers" in row["expect"]:
        assert len(found.markers) == row["expect"]["markers"]
    if "unresolved" in row["expect"]:
        assert list(found.unresolved) == row["expect"]["unresolved"]
