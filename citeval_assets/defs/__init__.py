"""What Dagster loads, and only that."""

import warnings

import dagster as dg

# Partitioned asset checks and observable source assets are beta or preview in this version,
# which is pinned, and used knowingly: the warnings would greet every user of every command.
for _category in (dg.BetaWarning, dg.PreviewWarning):
    warnings.filterwarnings("ignore", category=_category)
