UPDATE score_trend
SET
    n_overridden = $overridden,
    n_provisional = $provisional,
    mean_effective_score = $mean
WHERE
    evaluation_id = $evaluation_id
    AND system = $system;
