"""Text that feigns the frame of a prompt: roles, section ends, ready-made verdicts.

Searched in the text as it is, since line starts and capitals matter here. Between its kind and
its expression each pattern names what a text must hold (one of them) to match at all: most texts
hold nothing of the kind, and looking for a plain string costs a hundredth of the search.
"""

_SECTIONS = (
    r"(?:TRACE|DOCUMENTS?|SOURCES?|PASSAGES?|EVIDENCE|CONTEXT|ANSWER|INPUT|DATA|PROMPT|"
    r"INSTRUCTIONS?|RUBRIC|"
    r"CHUNKS?|SECTION|USER|SYSTEM|CONSTRAINTS|EXAMPLES?|UNTRUSTED(?: TEXT)?)"
)
_FIELDS = (
    r"(?:verdicts?|final_verdict|overall_score|claim_support_strength|citation_evaluations|"
    r"claims_analysis|"
    r"overall_citation_accuracy_score|citation_faithfulness_score|context_fidelity|"
    r"faithfulness_label|"
    r"answer_correctness|abstention_detection|source_faithfulness|misattribution_flags)"
)

PATTERNS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "chat_role",
        ("<|", "[", "<<"),
        r"(?i)<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|>|"
        r"\[/?INST\]|<</?SYS>>",
    ),
    (
        "chat_role",
        ("##",),
        r"(?im)^[ \t]{0,3}#{2,4}[ \t]*(?:system|instruction|assistant)s?[ \t]*:[ \t]*$",
    ),
    (
        "chat_role",
        ("SYSTEM", "ASSISTANT", "DEVELOPER", "System", "Assistant"),
        r"(?m)(?:^|[.!?\"] ?)[ \t]{0,4}(?:SYSTEM(?: MESSAGE| PROMPT| OVERRIDE| NOTE)?|ASSISTANT|"
        r"DEVELOPER|System|Assistant)[ \t]?:[ \t]{1,2}(?=.{0,120}?\b(?:ignore|verdicts?|rubric|"
        r"schema|fully_supported|final score|you must|you are now|grading|evaluation (?:is|has))"
        r"\b)",
    ),
    (
        "section_end",
        ("=", "-", "#", "*", "<", "[", "~", "_"),
        rf"(?im)^[ \t]{{0,3}}[=\-#*<\[~_]{{2,12}}[ \t]{{0,3}}(?:END|BEGIN|START|CLOSE)"
        rf"(?:[ \t_-](?:OF|THE)){{0,2}}[ \t_-]{{1,3}}[A-Z_ ]{{0,30}}{_SECTIONS}\b.{{0,20}}$",
    ),
    (
        "section_end",
        ("</",),
        r"(?i)</(?:source|sources|document|documents|passage|passages|trace|reasoning_trace|"
        r"context|evidence|answer|untrusted|data|user_input|instructions?|system|chunk|chunks)"
        r">[\s\S]{0,200}?\b(?:ignore|rubric|verdict|instruction|grade|judge|system prompt)\b",
    ),
    (
        "section_end",
        ("#",),
        r"(?im)^[ \t]{0,3}#{1,4}[ \t]*(?:RUBRIC|GRADING (?:RUBRIC|INSTRUCTIONS?|CRITERIA)|(?:NEW|"
        r"REVISED|UPDATED) (?:RUBRIC|INSTRUCTIONS?|SYSTEM PROMPT)|SYSTEM PROMPT|JUDGE "
        r"INSTRUCTIONS?|EVALUATION INSTRUCTIONS?)\b.{0,40}$",
    ),
    (
        "verdict_json",
        (":",),
        rf"(?i)"
        rf"[\"'“”]{_FIELDS}[\"'“”]\s{{0,5}}:\s{{0,5}}(?:[\[{{]|[\"'“”]?(?:fully_supported|supported|faithful|pass|accurate|correct|1(?:\.0)?\b|equivalent|true))",
    ),
    (
        "verdict_word",
        ("ly_supported", "UNFAITHFUL_", "hallucinated_source", "CORRECT_ABSTENTION"),
        r"\b(?:fully_supported|partially_supported|UNFAITHFUL_[A-Z]+|hallucinated_source|"
        r"CORRECT_ABSTENTION)\b",
    ),
)
