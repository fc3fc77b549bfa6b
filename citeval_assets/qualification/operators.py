"""Every operator there is, and of which playbooks it knows the truth."""

from citeval_assets.qualification import harmless
from citeval_assets.qualification.faults_citations import (
    invent_source,
    remove_citation,
    repoint_citation,
)
from citeval_assets.qualification.faults_evidence import (
    delete_evidence,
    ignore_evidence,
    inject_verdict,
    invent_fact,
    remove_support,
)
from citeval_assets.qualification.faults_quotes import alter_quote, stitch_quote
from citeval_assets.qualification.faults_wording import (
    change_number,
    change_unit,
    negate,
    over_claim,
    swap_name,
)
from citeval_assets.qualification.mutants import Operator

_ACCURACY, _FAITHFULNESS = "citation_accuracy", "citation_faithfulness"
_TRACES, _COMPARISON = "cot_faithfulness", "answer_comparison"
JUDGED = (_ACCURACY, _FAITHFULNESS, _TRACES, _COMPARISON)
"""The playbooks a judge can be qualified for."""

_CITING = (_ACCURACY, _FAITHFULNESS, _COMPARISON)

FAULTS = (
    Operator("number_changed", True, "a digit of a number changed", change_number, JUDGED),
    Operator("unit_changed", True, "another unit behind a number", change_unit, JUDGED),
    Operator("name_swapped", True, "another name", swap_name, JUDGED),
    Operator("negation", True, "a 'not' put in or taken out", negate, JUDGED),
    Operator("over_claim", True, "a hedge or condition dropped", over_claim, JUDGED),
    Operator("quote_altered", True, "one word of a quotation changed", alter_quote, _CITING),
    Operator("quote_stitched", True, "two places quoted as one", stitch_quote, _CITING),
    Operator("citation_repointed", True, "a near passage cited", repoint_citation, _CITING),
    Operator("source_invented", True, "a source cited that was not given", invent_source, _CITING),
    # A claim without a citation costs nothing in citation_accuracy and answer_comparison.
    Operator("citation_removed", True, "a claim left bare", remove_citation, (_FAITHFULNESS,)),
    Operator("evidence_deleted", True, "the passage taken away", delete_evidence, JUDGED),
    Operator("support_removed", True, "its support taken out", remove_support, JUDGED),
    Operator("evidence_ignored", True, "a step that ignores it", ignore_evidence, (_TRACES,)),
    Operator("fact_invented", True, "a plausible fact added", invent_fact, JUDGED),
    Operator("verdict_injected", True, "a fault with a verdict beside it", inject_verdict, JUDGED),
)
"""Changes that make a case wrong."""

HARMLESS = (
    Operator("unchanged", False, "the clean case itself", harmless.unchanged, JUDGED),
    # An unstated inference is partial support by the rules of citation_accuracy.
    Operator(
        "implied_inference", False, "what follows is said", harmless.imply,
        (_FAITHFULNESS, _TRACES, _COMPARISON),
    ),
    Operator("typography", False, "curly quotes, dashes, ligatures", harmless.retype, JUDGED),
    Operator("white_space", False, "blanks doubled", harmless.respace, JUDGED),
    Operator("synonym", False, "a word from the short list", harmless.use_synonym, JUDGED),
    Operator("passages_reordered", False, "another order", harmless.reorder_passages, JUDGED),
    Operator("ids_renamed", False, "other ids of the passages", harmless.rename_ids, JUDGED),
    Operator("passage_added", False, "an unrelated passage more", harmless.add_passage, JUDGED),
)  # fmt: skip
"""Changes that must leave the verdict alone."""

OPERATORS = (*FAULTS, *HARMLESS)
