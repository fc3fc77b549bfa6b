"""No bad reply becomes a score, and none ends the run."""

from collections import Counter

import pytest

from citeval_assets.playbooks.attempts import Reply
from tests.playbooks.bad_replies import SPOILS, _said, bad_replies, report_on, subjects


@pytest.mark.parametrize("subject", subjects(), ids=lambda subject: subject.playbook.name)
def test_the_replies_they_are_made_from_are_valid(subject):
    report = report_on(subject, _said(subject.reply))
    assert (report.status, report.score) == ("valid", 1.0)


def test_six_hundred_bad_replies_give_no_score_and_no_exception():
    seen: Counter[str] = Counter()
    for bad in bad_replies(600, seed=8):
        report = report_on(bad.subject, bad.reply)
        seen[bad.kind] += 1
        said = str(bad.reply.text)[:500]
        assert not report.status.scored, (bad.kind, bad.subject.playbook.name, said)
        assert report.score is None
        assert report.reason is not None
        assert report.routing == "review"
    assert set(seen) == {spoil.__name__ for spoil in SPOILS}


def test_a_reply_of_many_megabytes_is_refused_unread():
    subject = subjects()[0]
    wide = "{" + ",".join(f'"key{n}": {n}' for n in range(400_000)) + "}"
    assert not report_on(subject, Reply(wide, "stop")).status.scored
