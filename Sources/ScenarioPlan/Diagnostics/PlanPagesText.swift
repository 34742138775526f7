import Diagnostics

/// The pages about what is sent as text, and about conditions on it.
let textPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "null-in-text", title: "Null where there must be text",
    text: """
      `null` leaves a header, a query, a form field, a cookie or a part out. A path and the name of
      a part cannot be left out, and null is no part of a longer text. Give the value a default, or
      put it into an entry of its own.
      """,
    wrong: """
      scenario: A page of orders
      vars: { page: null }
      endpoints: { shop: { http: [{ get: /orders, respond: { json: [] } }] } }
      steps:
        - request: { endpoint: shop, get: "/orders?page=${page}", expect: { json: [] } }
      """,
    right: """
      scenario: A page of orders
      vars: { page: null }
      endpoints: { shop: { http: [{ get: /orders, respond: { json: [] } }] } }
      steps:
        - request:
            endpoint: shop
            get: /orders
            query: { page: "${page == null ? 1 : page}" }
            expect: { json: [] }
      """),
  DiagnosticPage(
    id: "open-guard", title: "A guard that is open if a part is absent",
    text: """
      If a request lacks what a `when` reads, the `when` has no value and does not hold. Where the
      part stands under `!` or `!=`, the author hardly ever means that: the route that refuses is
      passed over, and the next one answers. `.?` reads a part that may be absent, and `orValue`
      gives it a value. No warning is given if the condition also tests the part with `has`.
      """,
    wrong: """
      scenario: Orders are shown to those who have logged in
      endpoints:
        shop:
          http:
            - get: /orders
              when: request.headers.authorization != 'Bearer t-1'
              respond: { status: 401 }
            - { get: /orders, respond: { json: [] } }
      steps:
        - request: { endpoint: shop, get: /orders, auth: { bearer: t-1 }, expect: { json: [] } }
      """,
    right: """
      scenario: Orders are shown to those who have logged in
      endpoints:
        shop:
          http:
            - get: /orders
              when: request.headers.?authorization.orValue('') != 'Bearer t-1'
              respond: { status: 401 }
            - { get: /orders, respond: { json: [] } }
      steps:
        - request: { endpoint: shop, get: /orders, expect: { status: 401 } }
      """),
]
