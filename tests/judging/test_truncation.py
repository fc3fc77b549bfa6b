import time

from citeval_assets.judging.tokens import estimate_tokens
from citeval_assets.judging.truncation import DoesNotFit, Fitted, fit, messages_tokens
from citeval_assets.playbooks.view import CUT_MARK, ModelView, Passage
from citeval_assets.playbooks.vocabulary import RiskLevel
from citeval_assets.templates.model import Message

SENTENCE = "The harbour pilot of the northern quay signed the log on the morning of that day. "


def view_of(*texts: str) -> ModelView:
    passages = tuple(Passage(f"doc-{n}", text) for n, text in enumerate(texts, start=1))
    return ModelView("toy", "Who signed?", RiskLevel.STANDARD, passages)


def render(view: ModelView) -> tuple[Message, ...]:
    text = "\n".join(f"[{p.id}] {p.text}" for p in view.passages)
    return (Message("system", "Judge."), Message("user", f"{view.question}\n{text}"))


def fitted(view: ModelView, budget: int) -> Fitted:
    found = fit(view, render, budget)
    assert isinstance(found, Fitted)
    return found


def test_a_context_that_fits_is_left_alone():
    view = view_of(SENTENCE * 3)
    assert fitted(view, 10_000) == Fitted(view, render(view))


def test_every_passage_is_shortened_in_proportion_and_none_dropped():
    view = view_of(SENTENCE * 40, SENTENCE * 20, SENTENCE * 10)
    cut = fitted(view, 700)
    shares = [c.tokens_after / c.tokens_before for c in cut.cuts]
    assert [p.id for p in cut.view.passages] == ["doc-1", "doc-2", "doc-3"]
    assert all(p.cut for p in cut.view.passages)
    assert max(shares) - min(shares) < 0.15


def test_the_cut_context_fits_its_budget():
    view = view_of(SENTENCE * 40, SENTENCE * 20, "Short one. " * 9)
    for budget in (300, 500, 900):
        found = fitted(view, budget)
        assert found.messages == render(found.view)
        assert messages_tokens(found.messages) <= budget


def test_a_passage_is_cut_from_its_end_at_a_sentence_end_and_marked():
    text = "".join(f"Sentence number {n} of the long report ends here. " for n in range(60))
    kept = fitted(view_of(text), 300).view.passages[0].text
    body = kept.removesuffix(f" {CUT_MARK}")
    assert kept.endswith(CUT_MARK)
    assert text.startswith(body)
    assert body.endswith("ends here.")


def test_without_a_sentence_end_near_the_cut_stands_between_words():
    text = "word " * 2000
    body = fitted(view_of(text), 300).view.passages[0].text.removesuffix(f" {CUT_MARK}")
    assert text.startswith(body + " ")
    assert body.endswith("word")


def test_each_cut_is_an_event_with_its_token_counts():
    text = SENTENCE * 40
    cut = fitted(view_of(text, "Tiny."), 300)
    assert [c.source_id for c in cut.cuts] == ["doc-1"]
    assert cut.cuts[0].tokens_before == estimate_tokens(text)
    assert cut.cuts[0].tokens_after == estimate_tokens(cut.view.passages[0].text)
    assert cut.cuts[0].tokens_after < cut.cuts[0].tokens_before


def test_a_text_that_only_holds_the_mark_is_no_event():
    view = view_of(f"The minutes read {CUT_MARK} at line two and go on.")
    assert fitted(view, 100_000).cuts == ()


def test_what_cannot_fit_says_how_long_it_is_and_what_is_allowed():
    found = fit(view_of(*[SENTENCE * 5] * 20), render, 200)
    assert isinstance(found, DoesNotFit)
    assert "200 are allowed" in found.detail


def test_a_long_question_alone_does_not_fit_either():
    view = ModelView("toy", SENTENCE * 100, RiskLevel.STANDARD, ())
    assert isinstance(fit(view, render, 300), DoesNotFit)


def test_the_same_view_is_cut_the_same_way_every_time():
    view = view_of(SENTENCE * 40, SENTENCE * 20)
    assert fitted(view, 500) == fitted(view, 500)


def test_a_source_of_two_million_characters_is_cut_in_seconds():
    started = time.perf_counter()
    cut = fitted(view_of("lorem ipsum [1] " * 125_000), 100_000)
    assert cut.cuts
    assert time.perf_counter() - started < 8
