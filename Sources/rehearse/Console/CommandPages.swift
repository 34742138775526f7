import Diagnostics

/// The pages of `rehearse explain` about files and folders. Their examples are command lines, or
/// lines of a file.
let commandPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "endpoint-without-url", title: "An endpoint without a URL",
    text: """
      Against real endpoints, each endpoint of a scenario needs a `url`. The URL may come from the
      environment: `url: "${env.API_URL}"`.
      """,
    wrong: "rehearse run --against real", right: "rehearse run --against sockets"),
  DiagnosticPage(
    id: "served-to-others", title: "Endpoints that other machines reach",
    text: """
      `rehearse serve` listens at 127.0.0.1, which only programs on this machine reach. With another
      `--host`, any machine of the network may send requests, and read what the mock answers.
      """,
    wrong: "rehearse serve shop.scenario.yaml --host 0.0.0.0",
    right: "rehearse serve shop.scenario.yaml"),
  DiagnosticPage(
    id: "proxy-without-sockets", title: "A proxy in a world without sockets",
    text: """
      A mock with `proxy` passes requests on to a real server. In memory there are no connections
      to real servers. The scenario can run where its endpoints are on sockets: `only: sockets`
      skips it elsewhere.
      """,
    wrong: "rehearse run proxied.scenario.yaml",
    right: "rehearse serve proxied.scenario.yaml --record"),
  DiagnosticPage(
    id: "never-exercised", title: "A part of a scenario never happened",
    text: """
      A scenario can hold although parts of it never happened: the first event of a `leadsTo` never
      came, a route or a step of a mock was never used, a loop had no turn, or the steps of a `then`
      or `else` were passed over. `--verbose` and the reports for programs list these parts. Under
      `--strict` they fail the scenario; for a scenario with a table, only those that no row has
      used, and only if all rows ran. `rehearse report merge --strict` judges the rows of several
      machines together.
      """,
    wrong: "rehearse run --strict", right: "rehearse run --verbose"),
  DiagnosticPage(
    id: "not-formatted", title: "A file that `fmt` leaves as it is",
    text: """
      `rehearse fmt` checks that the text it writes is read as the same values. A key of several
      lines, a list as a key and directives (`%YAML`) have no form there, so a file with one of them
      stays as it is.
      """,
    wrong: "%YAML 1.2\n---\nscenario: A counter", right: "scenario: A counter"),
  DiagnosticPage(
    id: "no-files-left", title: "The system has no room for another open file",
    text: """
      Each scenario in real time opens two files, and one more for each end of a connection. Fewer
      scenarios at once open fewer files.
      """,
    wrong: "rehearse run --against sockets --jobs 500",
    right: "rehearse run --against sockets --jobs 1"),
  DiagnosticPage(
    id: "not-one-scenario", title: "Several scenarios of a file, and one is served",
    text: """
      `rehearse serve` serves one scenario of each file, or one row of its cases. If a file holds
      several, add the line of the one to serve. A second one is named by its own line:
      `shop.yaml:2 shop.yaml:20`.
      """,
    wrong: "rehearse serve scenarios/live/serving.scenario.yaml",
    right: "rehearse serve scenarios/live/serving.scenario.yaml:2"),
  DiagnosticPage(
    id: "log-of-several", title: "One log of several served scenarios",
    text: """
      A log holds its runs one after the other, but served scenarios run at the same time. With
      `--record`, each scenario has a trace of its own, which is written while it runs.
      """,
    wrong: "rehearse serve shop.scenario.yaml payments.scenario.yaml --log serve.jsonl",
    right: "rehearse serve shop.scenario.yaml payments.scenario.yaml --record=traces"),
  DiagnosticPage(
    id: "course-of-several", title: "A course of several served scenarios",
    text: """
      `--disturb` names a place of one scenario, and `--courses` writes the places of one. Several \
      scenarios that are served together have connections of the same names.
      """,
    wrong: "rehearse serve shop.scenario.yaml payments.scenario.yaml --courses courses.txt",
    right: "rehearse serve shop.scenario.yaml --courses courses.txt"),
  DiagnosticPage(
    id: "no-thread-left", title: "The system has no thread left",
    text: """
      Each scenario that is served has a thread of its own, and the system limits their number.
      Nothing is served. Serve fewer files, or raise the limit (`ulimit -u`).
      """,
    wrong: "rehearse serve a-folder-of-a-hundred-thousand-files",
    right: "rehearse serve shop.scenario.yaml payments.scenario.yaml"),
  DiagnosticPage(
    id: "nothing-to-serve", title: "A scenario without endpoints",
    text: """
      `rehearse serve` serves the mock scripts under `endpoints`. This scenario has none, or \
      `against` makes a real server of each, which a served scenario calls.
      """,
    wrong: "rehearse serve scenarios/state-graph/counter.scenario.yaml",
    right: "rehearse serve scenarios/live/chat.scenario.yaml"),
  DiagnosticPage(
    id: "network-of-others", title: "A network that clients from outside do not use",
    text: """
      Under `rehearse serve`, a step `network` changes the lines of the scenario's own clients only:
      latency, loss, faults and `offline` strike at their end. For clients from outside, write
      `drop`, `reset`, `stall` or `after` into the endpoint's script.
      """,
    wrong: "rehearse serve scenarios/live/lossy-lines.scenario.yaml:2",
    right: "rehearse run scenarios/live/lossy-lines.scenario.yaml:2 --against sockets"),
  DiagnosticPage(
    id: "port-of-no-endpoint", title: "A port that belongs to no endpoint",
    text: """
      `--port PORT` is for a scenario with one endpoint. If there are several, each port names its
      endpoint: `--port NAME=PORT`. An endpoint has one port. If several scenarios are served and
      have an endpoint of the same name, the title comes first: `--port 'TITLE::NAME=PORT'`.
      """,
    wrong: "rehearse serve scenarios/live/chat.scenario.yaml --port caht=8080",
    right: "rehearse serve scenarios/live/chat.scenario.yaml --port chat=8080"),
  DiagnosticPage(
    id: "port-not-available", title: "A port that is not available",
    text: """
      Another program listens on the port, or the system reserves it: ports below 1024 usually need
      rights that no mock should have. Without `--port` Rehearsal takes a free one, and
      `--ports-file` reports which.
      """,
    wrong: "rehearse serve scenarios/live/chat.scenario.yaml --port 80",
    right: "rehearse serve scenarios/live/chat.scenario.yaml --port 8080"),
  DiagnosticPage(
    id: "certificate-not-made", title: "No certificate could be made",
    text: "`--tls` makes a certificate with OpenSSL, which has to be installed.",
    wrong: "rehearse serve scenarios/live/chat.scenario.yaml --tls",
    right: "rehearse serve scenarios/live/chat.scenario.yaml"),
  DiagnosticPage(
    id: "unusable-certificate", title: "A certificate or key that cannot be used",
    text: """
      `--cacert`, `--cert` and `--key` name files of certificates and keys as text (PEM). A key
      belongs to its certificate and has no pass phrase: `openssl pkey -in FILE -out PLAIN`
      removes one.
      """,
    wrong: "rehearse run --against real --cert client.p12",
    right: "rehearse run --against real --cert client.pem --key client.key"),
  DiagnosticPage(
    id: "no-such-file", title: "A file or folder that is not there",
    text: """
      Paths are relative to the folder the command is run in. A pattern such as `live/*.yaml`
      that matches no file is an error as well, so that a suite never shrinks unnoticed.
      """,
    wrong: "rehearse run scenario/counter.scenario.yaml",
    right: "rehearse run scenarios/counter.scenario.yaml"),
  DiagnosticPage(
    id: "unreadable-file", title: "A file that is there and cannot be read",
    text: """
      The message of the system says why. Often the file belongs to another user, or the path
      names a folder.
      """,
    wrong: "rehearse run --env-file config.d", right: "rehearse run --env-file config.d/test.env"),
  DiagnosticPage(
    id: "nothing-selected", title: "A command line that selects no scenario",
    text: """
      Folders are searched for files that end in `.scenario.yaml`; a line, a title, a row or a tag
      narrows the choice further. A run of no scenario would pass without having shown anything, so
      it is refused. `rehearse list` shows what there is.
      """,
    wrong: "rehearse run 'counter.scenario.yaml::A conuter'",
    right: "rehearse run 'counter.scenario.yaml::A counter'"),
  DiagnosticPage(
    id: "left-alone", title: "Scenarios that were selected and not run",
    text: """
      A run that is interrupted, or that stops at the first failure (`--fail-fast`), leaves
      scenarios out. The warning says how many were not run.
      """,
    wrong: "rehearse run --fail-fast", right: "rehearse run"),
  DiagnosticPage(
    id: "unwritable-file", title: "A file that cannot be written",
    text: """
      The message of the system says why. Often a folder of the path does not exist, or is not
      writable.
      """,
    wrong: "rehearse schema --write no/such/folder", right: "rehearse schema --write schemas"),
  DiagnosticPage(
    id: "unknown-variable", title: "A variable given to scenarios that do not have it",
    text: """
      `--var NAME=VALUE` replaces a variable of `vars`, or a column of `cases`, in each scenario
      that is run and has one of that name, and so do the names in a file for `--vars-file`. If
      none has, the run continues with a warning.
      """,
    wrong: "rehearse run --var limti=5", right: "rehearse run --var limit=5"),
  DiagnosticPage(
    id: "environment-line", title: "A line of an environment file without a name or a value",
    text: """
      A file for `--env-file` has one variable on each line, `NAME=VALUE`. The value may be in
      quotes, and `export` before the name is ignored, like empty lines and lines that begin with
      `#`. In double quotes, `\\n` is a line break. A variable with an empty value still has its
      `=`. A variable that the environment of the process has keeps that value.
      """,
    wrong: "CATFACTS_URL https://catfacts.example", right: "CATFACTS_URL=https://catfacts.example"),
  DiagnosticPage(
    id: "kept-variable", title: "A variable of a file that the environment has as well",
    text: """
      A variable that the environment of the process has keeps that value, so that one run can be
      changed from outside. The note names those to which the file for `--env-file` gives another
      value. It has no values, since they may be secrets.
      """,
    wrong: "SHOP_URL=http://127.0.0.1:8080 rehearse run --env-file test.env",
    right: "env -u SHOP_URL rehearse run --env-file test.env"),
  DiagnosticPage(
    id: "near-file-name", title: "A file whose name is nearly that of a scenario",
    text: """
      Of a folder, the files are read whose names end with `.scenario.yaml` or `.scenario.yml`. A
      file such as `orders.scenarios.yaml` or `Orders.Scenario.YAML` is not read, which is easily
      overlooked. Rename it. A file that is named itself is read under any name.
      """,
    wrong: "mv orders.yaml scenarios/orders.scenarios.yaml",
    right: "mv orders.yaml scenarios/orders.scenario.yaml"),
  DiagnosticPage(
    id: "variables-file", title: "A file for variables that is not a map",
    text: """
      A file for `--vars-file` is a map in YAML or JSON from the names of variables to their values.
      Complaints about it never quote its lines, since they may hold secrets.
      """,
    wrong: "rehearse run --vars-file limits.csv", right: "rehearse run --vars-file limits.yaml"),
  DiagnosticPage(
    id: "stale-schema", title: "A schema that another version wrote",
    text: """
      `rehearse schema --check` compares a folder's schemas with those of this version, so that an
      editor and the command agree on the language. `rehearse schema --write` brings the folder
      up to date.
      """,
    wrong: "rehearse schema --check schemas", right: "rehearse schema --write schemas"),
  DiagnosticPage(
    id: "file-exists", title: "A file that already exists",
    text: """
      `rehearse init` overwrites nothing. Move the file away, or name another folder.
      """,
    wrong: "rehearse init .", right: "rehearse init shop"),
  DiagnosticPage(
    id: "update-on-a-server", title: "Recording snapshots on a build server",
    text: """
      A recorded snapshot is right from then on, so a person has to review it. If the environment
      has `CI`, as on build servers, `--update` is refused, and `--update=force` records anyway.
      An empty `CI`, `0` or `false` is treated as not set.
      """,
    wrong: "rehearse run --update", right: "rehearse run --update=force"),
  DiagnosticPage(
    id: "report-over-input", title: "A report in place of a file that the run reads",
    text: """
      A report replaces the file at its path. The path of a scenario, of a file of variables, or of
      any other YAML file is most likely a mistake, so the run does not begin.
      """,
    wrong: "rehearse run chat.scenario.yaml --format json=chat.scenario.yaml",
    right: "rehearse run chat.scenario.yaml --format json=report.json"),
  DiagnosticPage(
    id: "record-on-a-server", title: "Recording traces on a build server",
    text: """
      A trace beside a scenario is a file of the repository, so a person has to review it. If the
      environment has `CI`, as on build servers, `--record` needs a folder: `--record=DIR`.
      """,
    wrong: "rehearse run --record", right: "rehearse run --record=recorded"),
  DiagnosticPage(
    id: "credentials-stay-hidden", title: "Credentials are shown on a terminal only",
    text: """
      Tokens that others have issued are hidden in all that a run shows. `--show-credentials` shows
      them to the person who sits at the terminal. It is refused where output is kept: if the
      environment has `CI`, as on build servers, and if standard output is a file or a pipe.
      """,
    wrong: "rehearse run --show-credentials > log.txt",
    right: "rehearse run --show-credentials"),
  DiagnosticPage(
    id: "unknown-id", title: "A page that does not exist",
    text: """
      Every complaint has an id, printed in brackets behind `error` or `warning`, and each id has
      a page like this one. Functions, steps, operators and keys are explained by their names.
      `rehearse explain` without a name lists them all.
      """,
    wrong: "rehearse explain unknown-nmae", right: "rehearse explain unknown-name"),
  DiagnosticPage(
    id: "max-time", title: "A scenario took too long",
    text: """
      `--max-time` limits the real time of each scenario. One that reaches the limit fails. Its
      `finally` still runs, for as long as `--finally-time` says. The scenarios after it run.
      """,
    wrong: "rehearse run --against real --max-time 1ms",
    right: "rehearse run --against real --max-time 30s"),
  DiagnosticPage(
    id: "deadline", title: "The whole run took too long",
    text: """
      `--deadline` limits the real time of a run. The scenarios under way fail then, with their
      `finally`, and no more of them begin. The reports have all results so far.
      """,
    wrong: "rehearse run --against real --deadline 1ms",
    right: "rehearse run --against real --deadline 10m"),
  DiagnosticPage(
    id: "crashed", title: "The program crashed in a scenario",
    text: """
      A mistake of the program, or too little memory, has ended the process. The scenario that was
      under way is an error, the rest runs in another process, and the exit code is 3. After three
      crashes the scenarios that were not reached are skipped. If several scenarios ran at once and
      nobody knows which was the cause, the one that ran the longest is named.
      """,
    wrong: "rehearse run scenarios --jobs 64", right: "rehearse run scenarios --jobs 4"),
  DiagnosticPage(
    id: "no-shard", title: "The build server does not say which part to run",
    text: """
      `--shard auto` takes the number of this job, and the number of all jobs, from the environment
      of GitLab, CircleCI, Buildkite or an indexed Job of Kubernetes, or from `REHEARSE_SHARD`.
      """,
    wrong: "rehearse run --shard auto", right: "rehearse run --shard 2/5"),
  DiagnosticPage(
    id: "no-report", title: "The file is no JSON report",
    text: "`--durations` reads the JSON report of an earlier run, with its measured times.",
    wrong: "rehearse run --shard 1/4 --durations report.xml",
    right: "rehearse run --shard 1/4 --durations report.json"),
  DiagnosticPage(
    id: "no-step-summary", title: "The summary of a workflow's step is not there",
    text: """
      In a workflow of GitHub, `run` adds a summary to the file that `GITHUB_STEP_SUMMARY` names.
      The file cannot be written. Nothing else is lost.
      """,
    wrong: "GITHUB_STEP_SUMMARY=/none/summary.md", right: "GITHUB_STEP_SUMMARY=summary.md"),
]
