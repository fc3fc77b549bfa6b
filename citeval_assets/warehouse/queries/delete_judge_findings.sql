-- All that is known of the judges beside their reports; it is written anew from the ledger.
DELETE FROM judge_qualification;
DELETE FROM bridges;
DELETE FROM judge_noise;
