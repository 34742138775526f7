import Diagnostics

/// The pages of `rehearse explain` about tables in files.
let tablePages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "unknown-table-kind", title: "A table in a file of an unknown kind",
    text: """
      The name of a table's file defines its format: `.csv` is CSV with the names of the columns in
      its first line, `.json` is JSON, a list of maps.
      """,
    wrong: """
      scenario: Limits
      cases: { file: limits.txt }
      """,
    right: right, files: [limits, DiagnosticPage.File("limits.txt", limits.text)]),
  DiagnosticPage(
    id: "table-syntax", title: "A file that is no table",
    text: """
      CSV follows RFC 4180: commas between cells, a line for each row, the first line with the names
      of the columns. A cell with a comma, a quote or a line break is put in quotes, and a quote in
      it is written twice. JSON holds a list of maps. Both are UTF-8.
      """,
    wrong: """
      scenario: Limits
      cases: { file: unfinished.csv }
      """,
    right: right,
    files: [limits, DiagnosticPage.File("unfinished.csv", "id,limit\nsmall,1\nlarge,\"1000\n")]),
  DiagnosticPage(
    id: "unknown-column", title: "A column that a table does not have",
    text: """
      `secret` under `cases` names the columns whose values no report may show. A name without a
      column would leave the values of the column that was meant in clear text.
      """,
    wrong: """
      scenario: Log in
      cases:
        secret: [pasword]
        rows: [{ id: ann, password: open-sesame }]
      """,
    right: """
      scenario: Log in
      cases:
        secret: [password]
        rows: [{ id: ann, password: open-sesame }]
      """),
  DiagnosticPage(
    id: "duplicate-column", title: "Two columns with one name",
    text: """
      The columns of a table are variables, and a variable has one value.
      """,
    wrong: """
      scenario: Limits
      cases: { file: doubled.csv }
      """,
    right: right,
    files: [limits, DiagnosticPage.File("doubled.csv", "id,limit,limit\nsmall,1,2\n")]),
  DiagnosticPage(
    id: "row-without-id", title: "A row without an id among rows that have one",
    text: """
      The column `id` holds the name of each row, for reports and for selecting rows. A table
      without that column has numbered rows. In a table with that column each row has a name.
      """,
    wrong: """
      scenario: Limits
      cases: { file: unnamed.csv }
      """,
    right: right,
    files: [limits, DiagnosticPage.File("unnamed.csv", "id,limit\nsmall,1\n,1000\n")]),
  DiagnosticPage(
    id: "table-too-large", title: "A table that is too large",
    text: """
      Every row of a table is a run, and is reported by itself: there are at most
      \(TableLimit.rows) of them, in at most \(TableLimit.columns) columns and a file of
      \(TableLimit.fileSize >> 20) MiB. The example stands for a file with more.
      """,
    wrong: """
      scenario: Limits
      cases: { file: all-limits-of-the-year.csv }
      """,
    right: right, files: [limits]),
]

private let limits = DiagnosticPage.File("limits.csv", "id,limit\nsmall,1\nlarge,1000\n")

private let right = """
  scenario: Limits
  cases: { file: limits.csv }
  steps:
    - check: limit > 0
  """
