import os
import subprocess
import sys

PROGRAM = """
import sys
sys.path.insert(0, "tests")
from embedded.judged import prepared
from embedded.test_extractive import CHUNKS
from embedded.test_overlap import SOURCES
from citeval_assets.embedded.registry import embedded_model
trace = "The level fell to 38 percent in 2018. The Larkin reservoir was filled. Wolves roam."
row = {"sources": SOURCES, "reasoning_trace": trace}
print(embedded_model("embedded/overlap-0").reply(prepared("cot_faithfulness", row).view))
row = {"question": "Late fees, opening hours, parking and trams?", "sources": CHUNKS,
       "expected_status": "partial"}
for name in ("embedded/extractive-0", "embedded/extractive-1"):
    print(embedded_model(name).reply(prepared("cite_or_abstain", row).view))
lexical = embedded_model("embedded/lexical-1")
answer = "The level of the Larkin reservoir fell to 83 percent in a dry summer of war [1][2]."
for playbook, field in (("citation_accuracy", "reasoning_trace"), ("citation_faithfulness",
                        "answer"), ("cot_faithfulness", "reasoning_trace")):
    row = {"sources": SOURCES, field: answer}
    print(lexical.reply(prepared(playbook, row).view))
row = {"sources": SOURCES, "answer": answer, "reference_answer": "The level fell to 38 percent."}
print(lexical.reply(prepared("answer_comparison", row).view))
"""


def test_two_processes_give_the_same_answers():
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert outputs.pop().count("\n") == 7
