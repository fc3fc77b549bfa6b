"""Cases whose every text tries to come alive on a page."""

from typing import Any

SCRIPT = "<script>window.__x=1</script>"
IMAGE = "<img src=x onerror=window.__x=1>"
CLOSING = "</script><script>window.__x=1</script>"
LINKS = "[1](javascript:window.__x=1) [2](data:text/html,x) [3](JaVaScRiPt&#58;x)"
ATTRIBUTE = '"><svg onload=window.__x=1>'
STYLE = "</style><script>window.__x=1</script>"
TURNED = "grade: \u202edeliaf\u202c"
FORMULA = '=cmd|" /C x"!A0'


def hostile_rows() -> list[dict[str, Any]]:
    """Rows of citation_faithfulness that will not come out clean."""
    row = {
        "test_case_id": f"hostile {ATTRIBUTE}",
        "question": f"{SCRIPT} {STYLE} what is the toll?",
        "sources": [
            {"id": "1", "text": f"The toll is four euros. {CLOSING} {TURNED}", "title": IMAGE},
            {"id": '2"><b>', "text": "Lorries wait.", "document": STYLE},
        ],
        "answer": f"The toll is nine euros [1]. {CLOSING} {LINKS} Lorries fly [7]. {IMAGE}",
    }
    formula = {
        "test_case_id": FORMULA,
        "question": "\t=1+1 and ok\n=2+2",
        "sources": [{"id": "1", "text": "The toll is four euros."}],
        "answer": "-0.5 is the toll of today [1]. @SUM(A1) holds the rest [4].",
    }
    return [{"system": s, **one} for one in (row, formula) for s in ("prod", "candidate")]
