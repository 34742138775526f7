import Diagnostics

/// The pages of `rehearse explain` about real endpoints that differ from their mocks.
let driftPages = [
  DiagnosticPage(
    id: "drift", title: "A real endpoint is not as its mock",
    text: """
      With `--against real`, the real endpoints must do what their mocks are written to do. \
      Compared are the status, headers and body of an answer, the events and messages of a \
      connection in their order, the subprotocol, and the messages that a script receives. \
      Entries match as in `expect`: the endpoint may send more than is written. A request for \
      which no entry is written is reported too. Times, faults that mocks make on purpose \
      (such as `drop`, `stall` or `refuse`), and events after such a fault are not compared. A \
      drift fails the scenario, but its steps continue. `--no-drift` turns the comparison off.
      """,
    wrong: """
      scenario: A price
      endpoints:
        shop:
          url: "${env.SHOP_URL}"
          http: [{ get: /price, respond: { json: { amount: 12 } } }]   # it answers "12.00"
      steps:
        - request: { endpoint: shop, get: /price }
      """,
    right: """
      scenario: A price
      endpoints:
        shop:
          url: "${env.SHOP_URL}"
          http: [{ get: /price, respond: { json: { amount: "12.00" } } }]
      steps:
        - request: { endpoint: shop, get: /price }
      """)
]
