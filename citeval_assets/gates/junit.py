"""Verdicts as JUnit XML, which every CI system shows: one suite per playbook.

A failed metric is a failure, an inconclusive one an error. Cases that passed before and fail now
are failures of a gate that failed. Cases that could not be scored (``VALIDATION_FAILED`` and the
like) are errors, never failures: nothing is known of the candidate there.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from xml.etree import ElementTree as Xml

from citeval_assets.gates.document import GateLine, gate_lines
from citeval_assets.gates.model import GateReport, GateResult, Verdict
from citeval_assets.gates.wording import difference_text

_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(report: GateReport) -> str:
    """Return the report as one XML document."""
    root = Xml.Element("testsuites", name="citeval gate")
    by_playbook: defaultdict[str, list[GateResult]] = defaultdict(list)
    for gate in report.gates:
        by_playbook[gate.playbook].append(gate)
    for playbook, gates in by_playbook.items():
        suite = Xml.SubElement(root, "testsuite", name=playbook)
        for gate in gates:
            suite.extend(_cases(gate))
    if not report.gates:
        suite = Xml.SubElement(root, "testsuite", name="citeval")
        case = Xml.SubElement(suite, "testcase", classname="citeval", name="gates")
        _outcome(case, "error", "inconclusive", "; ".join(report.reasons))
    for suite in root:
        _count(suite)
    _count(root)
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _cases(gate: GateResult) -> Iterator[Xml.Element]:
    name = f"{gate.playbook}.{gate.gate}"
    for line in gate_lines(gate):
        yield _metric(line, name, gate.counts_as_passed)
    for failure in gate.new_failures:
        case = _element(f"{name}.cases", failure.test_case_id, failure.system)
        told = f"score {failure.baseline_score} -> {failure.candidate_score}"
        detail = "\n".join((told, *failure.fingerprints, *failure.texts))
        if gate.verdict is Verdict.FAIL:
            _outcome(case, "failure", "regression", told, detail)
        else:
            Xml.SubElement(case, "system-out").text = _legal(detail)
        yield case
    for unscored in gate.unscored:
        case = _element(f"{name}.cases", unscored.test_case_id, unscored.system)
        reason = unscored.reason or "no reason given"
        _outcome(case, "error", unscored.validation_status, reason)
        yield case


def _metric(line: GateLine, classname: str, counts_as_passed: bool) -> Xml.Element:
    case = Xml.Element("testcase", classname=_legal(classname), name=line.metric)
    reasons = "\n".join(line.reasons)
    first = line.reasons[0] if line.reasons else line.verdict
    if line.verdict == Verdict.FAIL:
        _outcome(case, "failure", "gate failed", first, reasons)
    elif line.verdict == Verdict.INCONCLUSIVE:
        kind = "skipped" if counts_as_passed else "error"
        _outcome(case, kind, "inconclusive", first, reasons)
    told = (
        f"{line.candidate} against {line.baseline}: {difference_text(line)} over {line.pairs} pairs"
    )
    Xml.SubElement(case, "system-out").text = _legal(told)
    return case


def _element(classname: str, test_case_id: str, system: str) -> Xml.Element:
    name = f"{test_case_id} [{system}]"
    return Xml.Element("testcase", classname=_legal(classname), name=_legal(name))


def _outcome(case: Xml.Element, tag: str, kind: str, message: str, detail: str = "") -> None:
    found = Xml.SubElement(case, tag, type=_legal(kind), message=_legal(message))
    found.text = _legal(detail or message)


def _count(element: Xml.Element) -> None:
    element.set("tests", str(len(list(element.iter("testcase")))))
    for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        element.set(name, str(len(list(element.iter(tag)))))


def _legal(text: str) -> str:
    """Return text without the characters XML forbids; they are shown as codes."""
    return _ILLEGAL.sub(lambda found: found.group().encode("unicode_escape").decode(), text)
