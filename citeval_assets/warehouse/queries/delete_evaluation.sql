-- Everything one evaluation put into the warehouse. Set the variable evaluation_id first.
DELETE FROM evaluations WHERE evaluation_id = getvariable('evaluation_id');
DELETE FROM judge_outputs WHERE evaluation_id = getvariable('evaluation_id');
DELETE FROM reports WHERE evaluation_id = getvariable('evaluation_id');
DELETE FROM findings WHERE evaluation_id = getvariable('evaluation_id');
DELETE FROM score_trend WHERE evaluation_id = getvariable('evaluation_id');
DELETE FROM faithfulness_trend WHERE evaluation_id = getvariable('evaluation_id');
