-- The nightly samples, which are written anew from the ledger.
DELETE FROM trace_samples;
DELETE FROM test_cases WHERE starts_with(dataset, 'production@');
