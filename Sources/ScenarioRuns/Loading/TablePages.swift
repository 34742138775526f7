import Diagnostics

/// What `rehearse explain` tells about the files of tables, as they lie on the disk.
package let tableFilePages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "table-not-found", title: "A table's file that is not there",
    text: """
      The path of a table is seen from the folder of the scenario's file, wherever the command is
      run.
      """,
    wrong: """
      scenario: Limits
      cases: { file: limit.csv }
      """,
    right: right, files: [limits]),
  DiagnosticPage(
    id: "table-unreadable", title: "A table's file that cannot be read",
    text: """
      The path of a table leads to a file with text, not to a folder, and the file may be read by
      whoever runs the command.
      """,
    wrong: """
      scenario: Limits
      cases: { file: tables }
      """,
    right: right, files: [limits, DiagnosticPage.File("tables/limits.csv", limits.text)]),
]

private let limits = DiagnosticPage.File("limits.csv", "id,limit\nsmall,1\nlarge,1000\n")

private let right = """
  scenario: Limits
  cases: { file: limits.csv }
  steps:
    - check: limit > 0
  """
