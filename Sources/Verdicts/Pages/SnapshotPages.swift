import Diagnostics

/// The pages of `rehearse explain` about snapshots.
let snapshotPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "snapshot-differs", title: "A snapshot is not as it was recorded",
    text: """
      `snapshot` compares a value with the recorded one in a file of the folder `__snapshots__`
      beside the scenario. No part may be missing or additional. If the new value is right,
      `rehearse run --update` writes it into the file. Review the change to the file like any
      other.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 2 }           # the file says 1
        - snapshot: { name: counted, of: "{'count': count}" }
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - snapshot: { name: counted, of: "{'count': count}" }
      """,
    files: [
      DiagnosticPage.File(
        "__snapshots__/counter.a-counter/counted.json", "{ \"count\": 1 }")
    ]),
  DiagnosticPage(
    id: "snapshot-missing", title: "Nothing is recorded for a snapshot",
    text: """
      There is no file to compare with on the first run, or after a snapshot, a scenario or a
      row of a table was renamed. `rehearse run --update` writes the file. Review it: later runs
      are compared with it.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 1 }
      steps:
        - snapshot: { name: total, of: "{'count': count}" }       # it was `counted`
      """,
    right: """
      scenario: A counter
      graph: { count: 1 }
      steps:
        - snapshot: { name: counted, of: "{'count': count}" }
      """,
    files: [
      DiagnosticPage.File(
        "__snapshots__/counter.a-counter/counted.json", "{ \"count\": 1 }")
    ]),
  DiagnosticPage(
    id: "snapshot-unreadable", title: "The file of a snapshot holds no value",
    text: """
      A snapshot is recorded as JSON. If the file can be opened but is not JSON, somebody has
      changed it by hand or left the marks of a merge in it.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 1 }
      steps:
        - snapshot: { name: merged, of: "{'count': count}" }      # its file is no JSON
      """,
    right: """
      scenario: A counter
      graph: { count: 1 }
      steps:
        - snapshot: { name: counted, of: "{'count': count}" }
      """,
    files: [
      DiagnosticPage.File(
        "__snapshots__/counter.a-counter/merged.json", "<<<<<<< HEAD"),
      DiagnosticPage.File(
        "__snapshots__/counter.a-counter/counted.json", "{ \"count\": 1 }"),
    ]),
]
