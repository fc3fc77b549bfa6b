"""Cutting a context that is too long: one strategy, for every model of a comparison alike.

Every passage is shortened from its end in proportion to its length, at a sentence end where one
is near, else between words; none is dropped. Each cut is an event with its token counts. Events
come from here alone: a text that merely holds the mark was not cut.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from citeval_assets.judging.tokens import SAFETY, TokenCount, estimate_tokens
from citeval_assets.playbooks.report import ContextCut
from citeval_assets.playbooks.view import CUT_MARK, ModelView, Passage
from citeval_assets.templates.model import Message
from citeval_assets.text.sentences import split_sentences

TRUNCATION_POLICY = "proportional-2"
"""Names the strategy in the epoch. Raised whenever the cut, the estimate or what follows from a
cut changes."""

_MARK_TOKENS = 8
"""What the mark itself costs, with the space before it."""

_SHORTEST_TOKENS = 24
"""No passage is cut below this: under it, a passage says nothing. Shorter ones stay whole."""

_NEAR_SENTENCE_END = 0.8
"""A sentence end in the last fifth of what may stay is near enough to cut there."""

_LOOK_AHEAD_CHARS = 200
"""Text read past the cut, so that a sentence that ends exactly there is seen to end."""

FEEDBACK_TOKENS = 512
"""Kept free for the correction feedback of a re-ask, so that all attempts see one context."""

PER_MESSAGE_TOKENS = 8
"""Role names and separators a provider adds around each message."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A view that fits its budget, with its messages. ``cuts`` is empty where nothing was cut."""

    view: ModelView
    messages: tuple[Message, ...]
    cuts: tuple[ContextCut, ...] = ()


@dataclass(frozen=True, slots=True)
class DoesNotFit:
    """What is too long even with every passage at its shortest."""

    detail: str


Render = Callable[[ModelView], tuple[Message, ...]]


def input_budget(context_tokens: int) -> int:
    """Return how many estimated tokens the messages may have, of ``context_tokens`` allowed.

    Room for feedback and the lower bound of the estimate are taken off; may be negative.
    """
    return int((context_tokens - FEEDBACK_TOKENS) * SAFETY)


def fit(view: ModelView, render: Render, budget: int) -> Fitted | DoesNotFit:
    """Shorten the passages of ``view`` until the rendered messages fit ``budget`` tokens.

    Args:
        view: What the model is to see.
        render: Makes the messages of a view; used to measure everything that is no passage.
        budget: Estimated tokens the messages may take (see ``input_budget``).
    """
    messages = render(view)
    if surely_within(messages, budget):
        return Fitted(view, messages)
    counts = [TokenCount.of(passage.text) for passage in view.passages]
    bare = view.with_passages(tuple(replace(passage, text="") for passage in view.passages))
    overhead = messages_tokens(render(bare))
    total = overhead + sum(count.tokens for count in counts)
    if total <= budget:
        return Fitted(view, messages)
    shares = _shares([count.tokens for count in counts], budget - overhead)
    if shares is None:
        return DoesNotFit(
            f"about {total} tokens, of which {overhead} are not passages; {budget} are allowed "
            f"and {len(counts)} passages need at least {_SHORTEST_TOKENS} tokens each"
        )
    cuts: list[ContextCut] = []
    passages: list[Passage] = []
    for passage, count, share in zip(view.passages, counts, shares, strict=True):
        shortened = _shorten(passage, count, share)
        passages.append(shortened)
        if shortened.cut:
            after = estimate_tokens(shortened.text)
            cuts.append(
                ContextCut(source_id=passage.id, tokens_before=count.tokens, tokens_after=after)
            )
    shortened_view = view.with_passages(tuple(passages))
    return Fitted(shortened_view, render(shortened_view), tuple(cuts))


def surely_within(messages: Sequence[Message], tokens: int) -> bool:
    """Whether even one token per UTF-8 byte would fit: settles most calls without estimating."""
    size = sum(
        len(message.content.encode("utf-8", "surrogatepass")) + PER_MESSAGE_TOKENS
        for message in messages
    )
    return size <= tokens


def messages_tokens(messages: Sequence[Message]) -> int:
    """Return the estimated tokens of a whole request."""
    return sum(estimate_tokens(message.content) + PER_MESSAGE_TOKENS for message in messages)


def _shares(tokens: Sequence[int], room: int) -> list[int] | None:
    """Share ``room`` in proportion, none below the shortest; ``None`` where that cannot be.

    Passages at their floor take their floor, and the rest share what is left, until no further
    passage falls to its floor.
    """
    floors = [min(count, _SHORTEST_TOKENS) for count in tokens]
    if not tokens or sum(floors) > room:
        return None
    shares = list(floors)
    free = {index for index, count in enumerate(tokens) if count > _SHORTEST_TOKENS}
    while free:
        left = room - sum(floors[i] for i in range(len(tokens)) if i not in free)
        ratio = left / sum(tokens[i] for i in free)
        at_floor = {i for i in free if int(tokens[i] * ratio) < floors[i]}
        if not at_floor:
            for i in free:
                shares[i] = min(tokens[i], int(tokens[i] * ratio))
            break
        free -= at_floor
    return shares


def _shorten(passage: Passage, count: TokenCount, share: int) -> Passage:
    if count.tokens <= share:
        return passage
    limit = count.prefix_end(max(share - _MARK_TOKENS, 1))
    kept = passage.text[: _cut_at(passage.text, limit)].rstrip()
    return replace(passage, text=f"{kept} {CUT_MARK}".lstrip(), cut=True)


def _cut_at(text: str, limit: int) -> int:
    """Return where to cut at or before ``limit``: at a near sentence end, else between words."""
    sentences = split_sentences(text[: limit + _LOOK_AHEAD_CHARS])
    nearest = max((s.end for s in sentences if s.end <= limit), default=0)
    if nearest >= limit * _NEAR_SENTENCE_END:
        return nearest
    space = max(text.rfind(" ", 0, limit + 1), text.rfind("\n", 0, limit + 1))
    return space if space >= limit * _NEAR_SENTENCE_END else limit
