import Diagnostics

/// What `rehearse explain` tells about snapshots.
let snapshotPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "snapshot-differs", title: "A snapshot is not as it was recorded",
    text: """
      `snapshot` compares a value with the one in a file of the folder `__snapshots__` beside the
      scenario, and nothing may be missing or too much. Where what is there now is right, `rehearse
      run --update` writes it into the file; the difference is then to be read like any other.
      """,
    wrong: """
      - set: { count: 2 }
      - snapshot: counted           # the file says 1
      """,
    right: """
      - set: { count: 1 }
      - snapshot: counted
      """),
  DiagnosticPage(
    id: "snapshot-missing", title: "Nothing is recorded for a snapshot",
    text: """
      The first time, and whenever a snapshot, a scenario or a row of a table gets another name,
      there is no file to compare with. `rehearse run --update` writes it; look at what it wrote,
      for that is what will be right from then on.
      """,
    wrong: "- snapshot: after login       # never run with --update",
    right: "- snapshot: after login       # recorded: __snapshots__/…/after-login.json"),
  DiagnosticPage(
    id: "snapshot-unreadable", title: "The file of a snapshot holds no value",
    text: """
      A snapshot is recorded as JSON. Where a file can be opened and is no JSON, somebody has
      changed it by hand or left the marks of a merge in it.
      """,
    wrong: "- snapshot: counted           # the file holds `<<<<<<< HEAD`",
    right: "- snapshot: counted           # the file holds { \"count\": 1 }"),
]
