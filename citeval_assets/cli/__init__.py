"""The citeval command, one module per verb."""
