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
print(embedded_model("embedded/extractive-0").reply(prepared("cite_or_abstain", row).view))
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
    assert outputs.pop().count("\n") == 2
