"""The reply as a pydantic model, for the peers that parse into one."""

from pydantic import BaseModel


class Claim(BaseModel):
    unit: int
    claim_text: str
    cited_source_id: str | None
    verdict: str
    explanation: str


class Judgement(BaseModel):
    citation_faithfulness_score: float
    claims_analysis: list[Claim]
    overall_assessment: str
