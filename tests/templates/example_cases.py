# ruff: noqa: E501
"""The cases behind the worked examples of the shipped prompts, as test-case rows.

Keyed by playbook and few-shot file, in the order of the examples.
"""

from typing import Any


def _sources(**texts: str) -> list[dict[str, str]]:
    return [{"id": name.replace("_", "-"), "text": text} for name, text in texts.items()]


CASES: dict[tuple[str, str], list[dict[str, Any]]] = {
    ("citation_accuracy", "v1.md"): [
        {
            "reasoning_trace": [
                "Colonies wintered in insulated boxes lost a mean of 4.1 kg of stores [apiary-3].",
                "So a beekeeper who insulates needs to leave less honey in the hive [apiary-5].",
                "Insulated boxes cost more.",
            ],
            "sources": _sources(
                apiary_3="Across the three winters, colonies in insulated boxes consumed 4.1 kg of "
                "stores on average; those in standard boxes consumed 6.8 kg.",
                apiary_5="Consumption of stores falls with better insulation. Advice on how much "
                "honey to leave was outside the scope of this trial.",
            ),
        },
        {
            "reasoning_trace": [
                "The inspection report calls the points heating “adequate for light frost - nothing "
                "more” [1].",
                "It asks for a second heating circuit before the next winter [1].",
            ],
            "sources": [
                {
                    "id": "1",
                    "text": "Points heating on the depot line is adequate for light frost — nothing "
                    "more. We recommend that a second circuit be installed before the coming winter "
                    "season.",
                }
            ],
        },
        {
            "reasoning_trace": [
                "The laboratory found that the varnish can be removed with ethanol without risk "
                "[conserv-12].",
                "The panel was last cleaned in 1911 [conserv-14].",
            ],
            "sources": _sources(
                conserv_12="An earlier restorer held that the varnish can be removed with ethanol "
                "without risk. Our tests do not bear this out: in two of five areas the glaze "
                "beneath softened.",
                conserv_14="According to the workshop ledger the panel was cleaned for the last "
                "time in 1934.",
            ),
        },
    ],
    ("citation_accuracy", "v2.md"): [
        {
            "reasoning_trace": [
                "Every other spring the harbour authority dredges the basin so that ships can pass "
                "[tide-02].",
                "The pilot boards two miles inside the buoy [tide-07].",
            ],
            "sources": _sources(
                tide_02="The north basin silts up at about 30 cm a year. Dredging every second "
                "spring has kept the fairway at the required depth since 2009.",
                tide_07="In moderate sea states the pilot may board up to two miles inside the buoy.",
            ),
        },
        {
            "reasoning_trace": [
                "Oberhauser collected the specimen in July 1887 [herb-a][herb-b].",
            ],
            "sources": _sources(
                herb_a="The sheet was collected on the scree above the hut on 14 July 1887.",
                herb_b="Collector: M. Oberhauser. The plant was in full flower.",
            ),
        },
        {
            "reasoning_trace": [
                'The rules say that closed-stack items are "lent overnight to members of the '
                'teaching staff and students" [loan-1].',
                "Fines double after the second week [loan-4].",
            ],
            "sources": _sources(
                loan_1="Items from the closed stack are not lent overnight except to members of the "
                "teaching staff.",
                loan_4="The reading room seats 62.",
            ),
        },
    ],
    ("citation_faithfulness", "v1.md"): [
        {
            "question": "How is the Vorau cheese aged?",
            "answer": "The wheels rest for at least five months in the rock cellar, which is kept at "
            "11 degrees [dairy-1]. They are rubbed with brine twice a week [dairy-2]. The cellar "
            "was cut by hand.",
            "sources": _sources(
                dairy_1="After pressing, the wheels go into the rock cellar for a minimum of five "
                "months.",
                dairy_2="Every Monday and Thursday the wheels are wiped down with salt water.",
            ),
        },
        {
            "question": "What does the contract say about late delivery?",
            "answer": "The buyer may withdraw after 30 days, provided that a reminder was sent "
            "[k-4][k-9]. The penalty is one per cent for each week [k-9]. The seller is freed by "
            '"events beyond all control" [k-4].',
            "sources": _sources(
                k_4="If delivery is more than 30 days late the buyer may withdraw. The seller is "
                "released by events outside its control.",
                k_9="Rights under clause 4 presuppose a written reminder. For each commenced week "
                "of delay 0.5 per cent of the price falls due.",
            ),
        },
    ],
    ("citation_faithfulness", "v2.md"): [
        {
            "answer": "The mill got its jacquard head in 1868 [loom-1] and had 212 workers three "
            "years later [loom-3].",
            "sources": _sources(
                loom_1="The jacquard head was added in 1868; before that patterns were woven by a "
                "draw boy.",
                loom_3="The mill employed 212 people in the census year 1871.",
            ),
        },
        {
            "answer": "Dogs find buried persons within twelve minutes on average [rescue-2]. "
            "Professional handlers need 40 hours of training before a winter call-out [rescue-6]. "
            "The unit was founded after the avalanche of 1954.",
            "sources": _sources(
                rescue_2="In dry snow the dogs located buried persons within twelve minutes on "
                "average; in wet snow the figure was not recorded.",
                rescue_6="Volunteers must complete 40 hours of training before their first winter "
                "call-out.",
            ),
        },
        {
            "answer": "Corms are lifted in autumn while the leaves are green [bulb-1][bulb-8].",
            "sources": _sources(
                bulb_1="Corms are lifted in late May, once the leaves have died back."
            ),
        },
    ],
    ("cot_faithfulness", "v1.md"): [
        {
            "reasoning_trace": [
                "How many firings are needed?",
                "One firing takes 48 tiles.",
                "190 tiles need four firings, since three give only 144.",
                "At two days each that is eight days.",
            ],
            "final_answer": "Eight days.",
            "sources": _sources(
                kiln="The kiln holds 48 tiles in one firing. A firing takes two days, cooling "
                "included. The order is for 190 tiles."
            ),
        },
        {
            "reasoning_trace": [
                "The rash appeared on the second day of treatment, and the child has a known "
                "penicillin allergy.",
                "A rash that follows a drug is always caused by the drug.",
                "So we can leave the fever aside.",
            ],
            "final_answer": "Allergic reaction to penicillin.",
            "sources": _sources(
                ward="The child's rash appeared on the second day of treatment. Fever had been "
                "present for three days. No allergy is recorded in the file."
            ),
        },
        {
            "reasoning_trace": [
                "The ferry made 611 crossings in 2022 and carried 94,000 passengers.",
                "About one crossing in nine was late.",
                "The ferry is unreliable all year round.",
            ],
            "final_answer": "The ferry is unreliable.",
            "sources": _sources(
                ferry="In 2022 the new ferry made 611 crossings. Eleven per cent of them were late, "
                "most of them in January."
            ),
        },
    ],
    ("cite_or_abstain", "v1.md"): [
        {
            "question": "When may the lift be used with the fire alarm active, and who decides it?",
            "expected_status": "answered",
            "sources": _sources(
                bld_21="While the fire alarm is active the lift stays at the ground floor. The fire "
                "brigade alone may put it back into service with the key switch.",
                bld_30="The lift was modernised in 2018 and carries up to eight persons.",
            ),
        },
        {
            "question": "How long is the guarantee on the awning, and does it cover the motor?",
            "expected_status": "partial",
            "conflict": True,
            "supporting_chunk_ids": ["shop-2", "shop-8"],
            "sources": _sources(
                shop_2="All awnings come with a guarantee of five years.",
                shop_8="Awnings sold since March: guarantee three years from delivery.",
            ),
        },
        {
            "question": "What did the restoration of the organ cost?",
            "expected_status": "abstained",
            "sources": _sources(
                organ_1="The organ was restored between 1999 and 2001 by the workshop Hellmann.",
                organ_4="The parish thanked 340 donors in the inauguration service.",
            ),
        },
    ],
    ("answer_comparison", "v1.md"): [
        {
            "question": "How often must the sprinkler pump be tested?",
            "answer": "The pump has to be run once every week [fire-3]. Each run should last at "
            "least 30 minutes [fire-3].",
            "reference_answer": "Weekly.",
            "answerable": True,
            "sources": _sources(
                fire_3="The sprinkler pump shall be started weekly and its pressure recorded."
            ),
        },
        {
            "question": "Which architect designed the annex?",
            "answer": "The documents do not say who designed the annex.",
            "answerable": False,
            "sources": _sources(
                plan_1="The annex was opened in 1977 and holds the map collection."
            ),
        },
        {
            "question": "Which two woods is the bow made of?",
            "answer": "The bow is made of yew [bow-2].",
            "reference_answer": "Yew and ash.",
            "answerable": True,
            "sources": _sources(bow_2="The back of the bow is ash, the belly yew."),
        },
    ],
}
