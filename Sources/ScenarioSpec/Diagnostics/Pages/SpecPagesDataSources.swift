import Diagnostics

/// What `rehearse explain` tells about databases and their statements.
let dataSourcePages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "spliced-statement", title: "A value written into a statement",
    text: """
      Values reach SQL bound, never as part of the statement's text: a quote in a value would end
      the text it stands in, and the rest of the value would be run. `?` takes the values of `with`
      in their order, `:name` those of a map; a provider's query has its `params` under their names.
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
