import Diagnostics

/// Lists, loads and schemas that cannot be.
let planDataPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "loads-field", title: "A step that loads a field",
    text: """
      In the steps of a scenario, `load` makes a list show another provider's data. A reactor's
      fields are different: only its own actions load them, since only they know when a load has
      ended.
      """,
    wrong: """
      scenario: A fact
      providers: { facts: { items: Cats sleep } }
      reactors:
        cat: { state: { fact: none } }
      steps:
        - load: { cat.fact: facts }
      """,
    right: """
      scenario: A fact
      providers: { facts: { items: Cats sleep } }
      reactors:
        cat:
          state: { fact: none }
          actions: { read: [{ load: { fact: facts } }] }
      steps:
        - send: cat.read
        - expect: { cat.fact: [loading, { loaded: Cats sleep }] }
      """),
  DiagnosticPage(
    id: "sets-list", title: "A list is not set",
    text: """
      The items of a list come from its provider. Steps load it again with `refresh`, or make it
      show another provider's data with `load`.
      """,
    wrong: """
      scenario: Tasks
      lists: { tasks: { items: [Write] } }
      steps:
        - set: { tasks.items: [Read] }
      """,
    right: """
      scenario: Tasks
      providers: { others: { items: [Read] } }
      lists: { tasks: { items: [Write] } }
      steps:
        - load: { tasks: others }
        - expect: { tasks.items: [[Read]] }
      """),
  DiagnosticPage(
    id: "bad-schema", title: "A schema that is wrong itself",
    text: """
      `$schema` takes a JSON Schema of draft 7 or 2020-12. The schema is wrong if a keyword has
      a value that it does not take, a pattern is not a regular expression, or a reference has
      no target. A keyword that no draft has and that is near a known one is a mistake, too.
      """,
    wrong: """
      scenario: A count
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect: { count: { $schema: { type: interger } } }
      """,
    right: """
      scenario: A count
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect: { count: { $schema: { type: integer } } }
      """),
  DiagnosticPage(
    id: "unchecked-schema", title: "A part of a schema that checks nothing",
    text: """
      Schemas of other programs have words that JSON Schema does not know, such as `example` and
      `discriminator` of OpenAPI. They check nothing. In a schema inside the scenario this is a
      warning, in a file a note. Names that begin with `x-` are extensions, and nothing is said.

      These formats are checked: `date-time`, `date`, `time`, `duration`, `email`, `hostname`,
      `ipv4`, `ipv6`, `uri`, `uri-reference`, `uuid`, `regex` and `json-pointer`. A value of
      another format is not looked at. `nullable` is `type: [string, "null"]` in JSON Schema.
      """,
    wrong: """
      scenario: A name
      graph: { name: "" }
      steps:
        - set: { name: Ann }
        - expect: { name: { $schema: { type: string, discriminator: name } } }
      """,
    right: """
      scenario: A name
      graph: { name: "" }
      steps:
        - set: { name: Ann }
        - expect: { name: { $schema: { type: string, minLength: 1 } } }
      """),
  DiagnosticPage(
    id: "schema-unreadable", title: "A schema file that cannot be read",
    text: """
      Text after `$schema` is the path of a JSON file, relative to the folder of the scenario.
      The file must exist when the scenario is loaded.
      """,
    wrong: """
      scenario: A count
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect: { count: { $schema: no-such-schema.json } }
      """,
    right: """
      scenario: A count
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect: { count: { $schema: { type: integer } } }
      """),
  DiagnosticPage(
    id: "unknown-disturbance", title: "Something that cannot go wrong",
    text: """
      `disturb` has names of disturbances, in the words of `rehearse sweep`: a verb, the piece of a
      connection, the endpoint and the number of the connection. `docs/sweep.md` lists them.
      """,
    wrong: """
      scenario: A lost answer
      disturb: [lose the answer]
      endpoints: { api: { http: [{ get: /, respond: {} }] } }
      steps:
        - request: { endpoint: api, get: / }
      """,
    right: """
      scenario: A lost answer
      disturb: ["lose answer 1 of api, connection 1"]
      endpoints: { api: { http: [{ get: /, respond: {} }] } }
      providers: { page: { endpoint: api, get: /, retry: { maxAttempts: 2 } } }
      reactors: { reader: { state: { page: none }, actions: { open: [{ load: { page: page } }] } } }
      steps:
        - send: reader.open
        - eventually: kind(reader.page) == 'loaded'
      """),
]
