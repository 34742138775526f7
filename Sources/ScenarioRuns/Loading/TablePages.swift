import Diagnostics

/// The pages of `rehearse explain` about the files of tables.
package let tableFilePages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "table-not-found", title: "A table's file that does not exist",
    text: """
      The path of a table is relative to the folder of the scenario's file, not to the folder in
      which the command runs.
      """,
    wrong: """
      scenario: Limits
      cases: { file: limit.csv }
      """,
    right: right, files: [limits]),
  DiagnosticPage(
    id: "table-unreadable", title: "A table's file that cannot be read",
    text: """
      The path of a table leads to a file with text, not to a folder. The user who runs the command
      must be allowed to read it.
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
