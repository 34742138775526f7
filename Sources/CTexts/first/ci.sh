#!/bin/sh
# Runs the suite for a build server: a JUnit report beside the output for people. On GitHub,
# failures are also shown at their lines. The exit code is 0 only if everything ran and held.
set -eu
exec rehearse run FOLDER --format human --format junit=rehearse-report.xml "$@"
