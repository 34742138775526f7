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
  DiagnosticPage(
    id: "data-file-not-found", title: "A file of a value that does not exist",
    text: """
      The path under `$file` is relative to the folder of the file that names it, not to the folder
      in which the command runs.
      """,
    wrong: ordering("orders.json"), right: ordering("order.json"), files: [order]),
  DiagnosticPage(
    id: "data-file-unreadable", title: "A file of a value that cannot be read",
    text: """
      The path under `$file` leads to a file with text, not to a folder. The user who runs the
      command must be allowed to read it.
      """,
    wrong: ordering("orders"), right: ordering("order.json"),
    files: [order, DiagnosticPage.File("orders/order.json", order.text)]),
  DiagnosticPage(
    id: "wrong-data-file", title: "A file under `$file` that is no value",
    text: """
      A file whose name ends in `.json` holds one value of JSON, any other file one of YAML. An
      expression stands in quotes, also where its value is a number: `"${count}"`.
      """,
    wrong: ordering("unquoted.json"), right: ordering("order.json"),
    files: [order, DiagnosticPage.File("unquoted.json", "{ \"count\": ${count} }\n")]),
  DiagnosticPage(
    id: "misplaced-data-file", title: "`$file` where no file can be named",
    text: """
      `$file` stands in scenarios, components and files of steps. A file that it names holds values
      and names no other file, and neither does a `rehearse.yaml`.
      """,
    wrong: ordering("nested.json"), right: ordering("order.json"),
    files: [order, DiagnosticPage.File("nested.json", "{ \"$file\": \"order.json\" }\n")]),
]

private let order = DiagnosticPage.File("order.json", "{ \"count\": \"${count}\" }\n")

private func ordering(_ file: String) -> String {
  """
  scenario: An order
  vars: { count: 2 }
  graph: { order: { stored: {} } }
  steps:
    - set: { order: { $file: \(file) } }
    - check: order.count == 2
  """
}

private let limits = DiagnosticPage.File("limits.csv", "id,limit\nsmall,1\nlarge,1000\n")

private let right = """
  scenario: Limits
  cases: { file: limits.csv }
  steps:
    - check: limit > 0
  """
