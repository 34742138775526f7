import Diagnostics

/// The pages of `rehearse explain` about real endpoints that differ from their mocks.
let driftPages = [
  DiagnosticPage(
    id: "drift", title: "A real endpoint is not as its mock",
    text: """
      With `--against real`, what mocks are written to do is expected of the real endpoints: the \
      status, headers and body of an answer, the events and messages of a connection in their \
      order, the subprotocol; what a script receives is what must have been sent. Entries match \
      as in `expect`: more may come than is written. A request that nothing is written for is \
      reported as well. Faults that mocks make on purpose (`drop`, `stall`, `refuse` and their \
      like) and times are not compared, nor what comes after them. A drift fails the scenario, \
      and its steps go on; `--no-drift` looks for none.
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
