import Diagnostics

/// The pages of `rehearse explain` about databases and their statements.
let dataSourcePages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "spliced-statement", title: "A value written into a statement",
    text: """
      SQL gets values bound, never as part of the statement's text. A quote in a value would end the
      text around it, and SQLite would run the rest of the value. `?` takes the values of `with` in
      their order, `:name` those of a map. A provider's query has its `params` under their names.
      """,
    wrong: """
      scenario: A new task
      vars: { title: "Don't panic" }
      databases: { local: { sqlite: ":memory:", setup: CREATE TABLE task (title TEXT) } }
      steps:
        - sql: { local: "INSERT INTO task VALUES ('${title}')" }
      """,
    right: """
      scenario: A new task
      vars: { title: "Don't panic" }
      databases: { local: { sqlite: ":memory:", setup: CREATE TABLE task (title TEXT) } }
      steps:
        - sql: { local: { statement: INSERT INTO task VALUES (?), with: ["${title}"] } }
      """)
]
