#!/bin/sh
# May the candidate ship? For any CI system: the exit code is that of `citeval gate`
# (0 every gate passes, 3 one fails, 4 inconclusive), or 2 where configuration or data are wrong.
# Writes gate.xml (JUnit), gate.md (for a comment or a summary) and the JSON of every step.
# Keep the folder of $DAGSTER_HOME from one build to the next: what is judged there is not paid again.
set -u
out="${CITEVAL_OUT:-citeval-out}"
mkdir -p "$out"

citeval validate || exit 2

# Judging or qualifying that stays incomplete does not stop here: the gate then says why it
# cannot tell, and the next build goes on where this one ended.
citeval run --json >"$out/run.json" || echo "not everything could be judged, see $out/run.json" >&2
citeval qualify --json >"$out/qualify.json" || echo "a judge was not fully tested, see $out/qualify.json" >&2

citeval gate --junit "$out/gate.xml" --markdown "$out/gate.md" --json >"$out/gate.json"
verdict=$?

# The end of the hash chain over everything recorded: kept with the build, it proves later that
# nothing was changed since.
citeval audit anchor --json >"$out/anchor.json" || true
exit "$verdict"
