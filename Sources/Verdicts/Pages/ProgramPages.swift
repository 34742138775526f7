import Diagnostics

/// The pages of `rehearse explain` about programs.
let programPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "program-not-started", title: "A program that cannot be started",
    text: """
      `run` has a program and its arguments, and no shell reads them. The program is a name on the
      `PATH`, or a path with a slash, which is relative to `folder`. The file must be executable.
      """,
    wrong: """
      scenario: A client
      programs: { client: { run: [ehco, hello] } }
      steps:
        - expect: { client.exit: 0 }
      """,
    right: """
      scenario: A client
      programs: { client: { run: [echo, hello] } }
      steps:
        - expect: { client: hello, client.exit: 0 }
      """),
  DiagnosticPage(
    id: "program-not-ready", title: "A program that is not ready in time",
    text: """
      The first step begins when each program has given the sign that its `ready` names: a line, a
      port, or a URL. A program that ends before that, or that takes longer than `timeout`, fails
      the scenario.
      """,
    wrong: """
      scenario: A client
      programs: { client: { run: [sh, -c, echo Ready], ready: { line: ready } } }
      steps:
        - terminate: client
      """,
    right: """
      scenario: A client
      programs: { client: { run: [sh, -c, echo Ready; read line], ready: { line: Ready } } }
      steps:
        - terminate: client
      """),
  DiagnosticPage(
    id: "program-failed", title: "A program that ended with an error nobody expects",
    text: """
      A program that ends by itself with another code than 0, or by a signal, fails the scenario,
      unless an assertion is about its `exit`. The report shows its last lines.
      """,
    wrong: """
      scenario: A client
      programs: { client: { run: [sh, -c, "echo done; exit 3"] } }
      steps:
        - expect: { client: done }
        - wait: 1s
      """,
    right: """
      scenario: A client
      programs: { client: { run: [sh, -c, "echo done; exit 3"] } }
      steps:
        - expect: { client: done, client.exit: 3 }
      """),
  DiagnosticPage(
    id: "program-ended", title: "A step that uses a program which has ended",
    text: """
      A program that nobody asked to end has ended, and this step sends it a line or terminates it.
      The report shows its end and its last lines.
      """,
    wrong: """
      scenario: A client
      programs: { client: { run: ["true"] } }
      steps:
        - wait: 1s
        - send: { client: hello }
      """,
    right: """
      scenario: A client
      programs: { client: { run: [cat] } }
      steps:
        - send: { client: hello }
        - expect: { client: hello }
      """),
  DiagnosticPage(
    id: "program-input", title: "A program that does not read",
    text: """
      A line was sent to a program that has closed its standard input, or that has so many bytes to
      read that the limit is reached.
      """,
    wrong: """
      scenario: A client
      programs: { client: { run: [sh, -c, exec <&-; echo closed; sleep 10] } }
      steps:
        - expect: { client: closed }
        - send: { client: hello }
      """,
    right: """
      scenario: A client
      programs: { client: { run: [cat] } }
      steps:
        - send: { client: hello }
        - expect: { client: hello }
      """),
  DiagnosticPage(
    id: "program-line-too-long", title: "A line of a program that is too long",
    text: """
      A line of a program is one event, and is kept in memory. A longer line than the limit fails
      the scenario.
      """,
    wrong: """
      scenario: A client
      timeout: 30s
      programs: { client: { run: [sh, -c, "head -c 20000000 /dev/zero"] } }
      steps:
        - expect: { client.exit: 0 }
      """,
    right: """
      scenario: A client
      timeout: 30s
      programs: { client: { run: [sh, -c, "head -c 20000000 /dev/zero > /dev/null"] } }
      steps:
        - expect: { client.exit: 0 }
      """),
]
