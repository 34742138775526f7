import Diagnostics

/// What `rehearse explain` tells about files and folders the commands work with; the examples are
/// command lines, or lines of a file.
let commandPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "endpoint-without-url", title: "An endpoint that is nowhere but in its mock",
    text: """
      Against real endpoints, each endpoint of a scenario is where its `url` says; it may be given
      from outside: `url: "${env.API_URL}"`.
      """,
    wrong: "rehearse run --against real", right: "rehearse run --against sockets"),
  DiagnosticPage(
    id: "no-files-left", title: "The system has no room for another open file",
    text: """
      Each scenario that keeps to the clock on the wall takes two files, and one for each end of a
      connection. Fewer at once take fewer.
      """,
    wrong: "rehearse run --against sockets --jobs 500",
    right: "rehearse run --against sockets --jobs 1"),
  DiagnosticPage(
    id: "not-one-scenario", title: "Several scenarios where one is served",
    text: """
      `rehearse serve` serves one scenario, or one row of its cases. A file that holds several is
      named with the line of the one that is meant.
      """,
    wrong: "rehearse serve scenarios/live/serving.scenario.yaml",
    right: "rehearse serve scenarios/live/serving.scenario.yaml:2"),
  DiagnosticPage(
    id: "nothing-to-serve", title: "A scenario without endpoints",
    text: "What `rehearse serve` serves are the mock scripts under `endpoints`.",
    wrong: "rehearse serve scenarios/state-graph/counter.scenario.yaml",
    right: "rehearse serve scenarios/live/chat.scenario.yaml"),
  DiagnosticPage(
    id: "network-of-others", title: "A network that clients from outside do not go through",
    text: """
      Under `rehearse serve`, a step `network` changes the lines of the scenario's own clients only:
      latency, loss, faults and `offline` strike at their end. What clients from outside are to
      meet stands in the endpoint's script, as `drop`, `reset`, `stall` or `after`.
      """,
    wrong: "rehearse serve scenarios/live/lossy-lines.scenario.yaml:2",
    right: "rehearse run scenarios/live/lossy-lines.scenario.yaml:2 --against sockets"),
  DiagnosticPage(
    id: "port-of-no-endpoint", title: "A port that is not for one of the endpoints",
    text: """
      `--port PORT` is for a scenario with one endpoint; where there are several, each port says
      whose it is: `--port NAME=PORT`. An endpoint has one port.
      """,
    wrong: "rehearse serve scenarios/live/chat.scenario.yaml --port caht=8080",
    right: "rehearse serve scenarios/live/chat.scenario.yaml --port chat=8080"),
  DiagnosticPage(
    id: "port-not-available", title: "A port that cannot be listened at",
    text: """
      Another program has it, or the system keeps it for others: ports below 1024 usually need
      rights that nobody should give a mock. Without `--port` a free one is taken, and
      `--ports-file` tells which.
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
      belongs to its certificate and stands by itself: nobody is asked for a pass phrase, and
      `openssl pkey -in FILE -out PLAIN` takes one off.
      """,
    wrong: "rehearse run --against real --cert client.p12",
    right: "rehearse run --against real --cert client.pem --key client.key"),
  DiagnosticPage(
    id: "no-such-file", title: "A file or folder that is not there",
    text: """
      Paths are relative to the folder the command is run in. A pattern such as `live/*.yaml`
      that fits no file is a mistake as well, so that a suite never shrinks unnoticed.
      """,
    wrong: "rehearse run scenario/counter.scenario.yaml",
    right: "rehearse run scenarios/counter.scenario.yaml"),
  DiagnosticPage(
    id: "unreadable-file", title: "A file that is there and cannot be read",
    text: """
      The system's own words say why: often the file belongs to another user, or it is a folder
      where a file was meant.
      """,
    wrong: "rehearse run --env-file config.d", right: "rehearse run --env-file config.d/test.env"),
  DiagnosticPage(
    id: "nothing-selected", title: "A command line that selects no scenario",
    text: """
      Folders are searched for files that end in `.scenario.yaml`; a line, a title, a row or a tag
      narrows the choice further. A run of nothing would pass without having shown anything, so it
      is refused. `rehearse list` shows what there is.
      """,
    wrong: "rehearse run 'counter.scenario.yaml::A conuter'",
    right: "rehearse run 'counter.scenario.yaml::A counter'"),
  DiagnosticPage(
    id: "left-alone", title: "Scenarios that were selected and not run",
    text: """
      A run that is interrupted, or that stops at the first failure (`--fail-fast`), ends before
      its end. The warning says how many scenarios nothing is known of.
      """,
    wrong: "rehearse run --fail-fast", right: "rehearse run"),
  DiagnosticPage(
    id: "unwritable-file", title: "A file that cannot be written",
    text: """
      The system's own words say why: often a folder on the way to it is not there, or not open
      for writing.
      """,
    wrong: "rehearse schema --write no/such/folder", right: "rehearse schema --write schemas"),
  DiagnosticPage(
    id: "unknown-variable", title: "A variable given to scenarios that do not have it",
    text: """
      `--var NAME=VALUE` replaces a variable of `vars`, or a column of `cases`, in each scenario
      that is run and has one of that name, and so do the names in a file for `--vars-file`. If
      none has, the run goes on with a warning.
      """,
    wrong: "rehearse run --var limti=5", right: "rehearse run --var limit=5"),
  DiagnosticPage(
    id: "environment-line", title: "A line of an environment file without a name or a value",
    text: """
      A file for `--env-file` has one variable on each line, `NAME=VALUE`; the value may stand in
      quotes, and `export` before the name is passed over. Empty lines and lines that begin with
      `#` say nothing. The value of a variable may be empty, and still has its `=`.
      """,
    wrong: "CATFACTS_URL https://catfacts.example", right: "CATFACTS_URL=https://catfacts.example"),
  DiagnosticPage(
    id: "variables-file", title: "A file for variables that is no map",
    text: """
      A file for `--vars-file` is a map in YAML or JSON from the names of variables to their values.
      What is wrong in it is told without its lines, since they may hold secrets.
      """,
    wrong: "rehearse run --vars-file limits.csv", right: "rehearse run --vars-file limits.yaml"),
  DiagnosticPage(
    id: "stale-schema", title: "A schema that another version has written",
    text: """
      `rehearse schema --check` compares a folder's schemas with those of this version, so that
      what an editor knows of the language is what the command knows of it. Writing them anew
      makes them the same.
      """,
    wrong: "rehearse schema --check schemas", right: "rehearse schema --write schemas"),
  DiagnosticPage(
    id: "file-exists", title: "A file that is there already",
    text: """
      `rehearse init` begins something new and overwrites nothing. Move the file away, or begin in
      another folder.
      """,
    wrong: "rehearse init .", right: "rehearse init shop"),
  DiagnosticPage(
    id: "update-on-a-server", title: "Recording snapshots on a build server",
    text: """
      What `--update` records is right from then on, so somebody has to look at it. Where the
      environment has `CI`, as it does on build servers, it is refused; `--update=force` does it all
      the same. `CI` may also be empty, `0` or `false`.
      """,
    wrong: "rehearse run --update", right: "rehearse run --update=force"),
  DiagnosticPage(
    id: "unknown-id", title: "A page that does not exist",
    text: """
      Every complaint has an id, printed in brackets behind `error` or `warning`, and each id has
      a page like this one. `rehearse explain` without an id lists them all.
      """,
    wrong: "rehearse explain unknown-nmae", right: "rehearse explain unknown-name"),
]
