import Diagnostics

/// The pages about rules that recordings are held against.
let recordingRulePages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "body-without-content", title: "A body where none may be",
    text: """
      Answers to HEAD, and those with 204 or 304, end with their head (RFC 9110). A client takes a \
      body behind it for the beginning of the next answer. In an archive, an answer with 304 may \
      have the body of the browser's cache.
      """,
    wrong: """
      {"kind":"request","source":"api","value":{"method":"GET","path":"/"},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":204,"body":"done"},"connection":1,\
      "from":"server"}
      """,
    right: """
      {"kind":"request","source":"api","value":{"method":"GET","path":"/"},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":204},"connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: "wrong-length", title: "A body of another length than `Content-Length`",
    text: """
      A client waits for bytes that do not come, or reads the rest as the next answer. The length \
      counts bytes, not characters. Bodies with a coding, bodies with a secret, and archives are \
      not judged.
      """,
    wrong: """
      {"kind":"request","source":"api","value":{"method":"GET","path":"/"},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":200,"headers":{"content-length":"4"},\
      "body":"déjà"},"connection":1,"from":"server"}
      """,
    right: """
      {"kind":"request","source":"api","value":{"method":"GET","path":"/"},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":200,"headers":{"content-length":"6"},\
      "body":"déjà"},"connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: AnswerOrderMachine.twice, title: "A request with two answers",
    text: """
      A client takes the second answer for that of its next request, and from then on each answer \
      is wrong. An answer with `1xx` may come before the answer.
      """,
    wrong: """
      {"kind":"request","source":"api","value":{"method":"GET","path":"/"},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":200},"connection":1,"from":"server"}
      {"kind":"response","source":"api","value":{"status":500},"connection":1,"from":"server"}
      """,
    right: """
      {"kind":"request","source":"api","value":{"method":"GET","path":"/"},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":200},"connection":1,"from":"server"}
      {"kind":"request","source":"api","value":{"method":"GET","path":"/next"},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":500},"connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: AnswerOrderMachine.early, title: "An answer before its request",
    text: """
      The recording has an answer to no request, and behind it a request of the same server \
      without an answer: the lines are not in the order in which they happened. A log that begins \
      in the middle is no finding.
      """,
    wrong: """
      {"kind":"response","source":"api","value":{"status":200},"connection":1,"from":"server"}
      {"kind":"request","source":"api","value":{"method":"GET","path":"/"},"connection":1,\
      "from":"client"}
      """,
    right: """
      {"kind":"request","source":"api","value":{"method":"GET","path":"/"},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":200},"connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: AfterCloseMachine.id, title: "A message after the close",
    text: """
      Who has closed a stream or a WebSocket sends nothing more on it, and the other side does not \
      read it. What the other side has sent meanwhile is no finding.
      """,
    wrong: """
      {"kind":"request","source":"api","value":{"headers":{"upgrade":"websocket"},\
      "method":"GET","path":"/"},"connection":1,"from":"client"}
      {"kind":"upgrade","source":"api","value":{"status":101},"connection":1,"from":"server"}
      {"kind":"goodbye","source":"api","value":{"code":1000},"connection":1,"from":"server"}
      {"kind":"message","source":"api","value":"late","connection":1,"from":"server"}
      """,
    right: """
      {"kind":"request","source":"api","value":{"headers":{"upgrade":"websocket"},\
      "method":"GET","path":"/"},"connection":1,"from":"client"}
      {"kind":"upgrade","source":"api","value":{"status":101},"connection":1,"from":"server"}
      {"kind":"message","source":"api","value":"last","connection":1,"from":"server"}
      {"kind":"goodbye","source":"api","value":{"code":1000},"connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: CallResultMachine.id, title: "A JSON-RPC answer with a result and an error",
    text: """
      JSON-RPC 2.0 has one of both. A member that is null is treated as missing.
      """,
    wrong: """
      {"kind":"request","source":"api","value":{"method":"POST","path":"/",\
      "body":{"jsonrpc":"2.0","id":1,"method":"a"}},"connection":1,"from":"client"}
      {"kind":"response","source":"api","value":{"status":200,"body":{"jsonrpc":"2.0","id":1,\
      "result":{},"error":{"code":1,"message":"x"}}},"connection":1,"from":"server"}
      """,
    right: """
      {"kind":"request","source":"api","value":{"method":"POST","path":"/",\
      "body":{"jsonrpc":"2.0","id":1,"method":"a"}},"connection":1,"from":"client"}
      {"kind":"response","source":"api","value":{"status":200,"body":{"jsonrpc":"2.0","id":1,\
      "result":{}}},"connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: AcknowledgementMachine.id, title: "A subscription before `connection_ack`",
    text: """
      A client of GraphQL over WebSocket sends `connection_init`, and waits for `connection_ack` \
      before it subscribes. Servers close the WebSocket with 4401 otherwise.
      """,
    wrong: """
      {"kind":"request","source":"api","value":{"headers":{"upgrade":"websocket"},\
      "method":"GET","path":"/"},"connection":1,"from":"client"}
      {"kind":"upgrade","source":"api","value":{"status":101},"connection":1,"from":"server"}
      {"kind":"message","source":"api","value":{"type":"connection_init"},"connection":1,\
      "from":"client"}
      {"kind":"message","source":"api","value":{"id":"1","type":"subscribe",\
      "payload":{"query":"subscription { a }"}},"connection":1,"from":"client"}
      """,
    right: """
      {"kind":"request","source":"api","value":{"headers":{"upgrade":"websocket"},\
      "method":"GET","path":"/"},"connection":1,"from":"client"}
      {"kind":"upgrade","source":"api","value":{"status":101},"connection":1,"from":"server"}
      {"kind":"message","source":"api","value":{"type":"connection_init"},"connection":1,\
      "from":"client"}
      {"kind":"message","source":"api","value":{"type":"connection_ack"},"connection":1,\
      "from":"server"}
      {"kind":"message","source":"api","value":{"id":"1","type":"subscribe",\
      "payload":{"query":"subscription { a }"}},"connection":1,"from":"client"}
      """),
  DiagnosticPage(
    id: "redirect-without-location", title: "A redirect that leads nowhere",
    text: """
      An answer with 301, 302, 303, 307 or 308 says in `Location` where to go on. Without it, \
      clients show an empty page or an error.
      """,
    wrong: """
      {"kind":"request","source":"api","value":{"method":"GET","path":"/"},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":302},"connection":1,"from":"server"}
      """,
    right: """
      {"kind":"request","source":"api","value":{"method":"GET","path":"/"},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":302,"headers":{"location":"/login"}},\
      "connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: "no-allow", title: "A refused method, and no word about the others",
    text: """
      An answer with 405 has the methods of the resource in `Allow` (RFC 9110). This is a note, \
      which fails nothing.
      """,
    wrong: """
      {"kind":"request","source":"api","value":{"method":"POST","path":"/"},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":405},"connection":1,"from":"server"}
      """,
    right: """
      {"kind":"request","source":"api","value":{"method":"POST","path":"/"},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":405,"headers":{"allow":"GET"}},\
      "connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: "no-challenge", title: "A login is wanted, and nothing says which",
    text: """
      An answer with 401 has a challenge in `WWW-Authenticate` (RFC 9110). This is a note, which \
      fails nothing.
      """,
    wrong: """
      {"kind":"request","source":"api","value":{"method":"GET","path":"/"},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":401},"connection":1,"from":"server"}
      """,
    right: """
      {"kind":"request","source":"api","value":{"method":"GET","path":"/"},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":401,\
      "headers":{"www-authenticate":"Bearer"}},"connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: ReopenedStreamMachine.id, title: "A stream is opened again from the beginning",
    text: """
      The stream broke after an event with an id. `Last-Event-ID` says which one the client has, \
      and without it the client misses what came meanwhile. A stream that the server ended, or the \
      client left, is no finding, and neither is another client.
      """,
    wrong: """
      {"kind":"request","source":"api","value":{"headers":{"accept":"text/event-stream"},\
      "method":"GET","path":"/"},"connection":1,"from":"client"}
      {"kind":"stream","source":"api","value":{"status":200,\
      "headers":{"content-type":"text/event-stream"}},"connection":1,"from":"server"}
      {"kind":"event","source":"api","value":{"id":"7","data":"a"},"connection":1,\
      "from":"server"}
      {"kind":"drop","source":"api","connection":1,"from":"server"}
      {"kind":"request","source":"api","value":{"headers":{"accept":"text/event-stream"},\
      "method":"GET","path":"/"},"connection":2,"from":"client"}
      """,
    right: """
      {"kind":"request","source":"api","value":{"headers":{"accept":"text/event-stream"},\
      "method":"GET","path":"/"},"connection":1,"from":"client"}
      {"kind":"stream","source":"api","value":{"status":200,\
      "headers":{"content-type":"text/event-stream"}},"connection":1,"from":"server"}
      {"kind":"event","source":"api","value":{"id":"7","data":"a"},"connection":1,\
      "from":"server"}
      {"kind":"drop","source":"api","connection":1,"from":"server"}
      {"kind":"request","source":"api","value":{"headers":{"accept":"text/event-stream",\
      "last-event-id":"7"},"method":"GET","path":"/"},"connection":2,"from":"client"}
      """),
  DiagnosticPage(
    id: GrowingPauseMachine.id, title: "Attempts in always the same pause",
    text: """
      A server that has refused a client three times (429, 500, 502, 503, 504, or no connection) \
      needs more time. Many clients that ask in the same pause keep it down. Pauses that the \
      server asked for, with `Retry-After` or `retry:`, are no finding, and neither are those that \
      chance makes different.
      """,
    wrong: """
      {"us":0,"kind":"request","source":"api","value":{"method":"GET","path":"/"},\
      "connection":1,"from":"client"}
      {"us":0,"kind":"response","source":"api","value":{"status":503},"connection":1,\
      "from":"server"}
      {"us":1000000,"kind":"request","source":"api","value":{"method":"GET","path":"/"},\
      "connection":1,"from":"client"}
      {"us":1000000,"kind":"response","source":"api","value":{"status":503},"connection":1,\
      "from":"server"}
      {"us":2000000,"kind":"request","source":"api","value":{"method":"GET","path":"/"},\
      "connection":1,"from":"client"}
      {"us":2000000,"kind":"response","source":"api","value":{"status":503},"connection":1,\
      "from":"server"}
      {"us":3000000,"kind":"request","source":"api","value":{"method":"GET","path":"/"},\
      "connection":1,"from":"client"}
      {"us":3000000,"kind":"response","source":"api","value":{"status":503},"connection":1,\
      "from":"server"}
      """,
    right: """
      {"us":0,"kind":"request","source":"api","value":{"method":"GET","path":"/"},\
      "connection":1,"from":"client"}
      {"us":0,"kind":"response","source":"api","value":{"status":503},"connection":1,\
      "from":"server"}
      {"us":1000000,"kind":"request","source":"api","value":{"method":"GET","path":"/"},\
      "connection":1,"from":"client"}
      {"us":1000000,"kind":"response","source":"api","value":{"status":503},"connection":1,\
      "from":"server"}
      {"us":3000000,"kind":"request","source":"api","value":{"method":"GET","path":"/"},\
      "connection":1,"from":"client"}
      {"us":3000000,"kind":"response","source":"api","value":{"status":503},"connection":1,\
      "from":"server"}
      {"us":7000000,"kind":"request","source":"api","value":{"method":"GET","path":"/"},\
      "connection":1,"from":"client"}
      {"us":7000000,"kind":"response","source":"api","value":{"status":503},"connection":1,\
      "from":"server"}
      """),
  DiagnosticPage(
    id: RepeatedPostMachine.id, title: "A POST is sent again, and may be done twice",
    text: """
      The answer was lost, so the server may have done what it was asked. With the same \
      `Idempotency-Key` in both requests it knows the second one. Calls of JSON-RPC and GraphQL, \
      logins, and requests that were answered or refused at once are no findings.
      """,
    wrong: """
      {"kind":"request","source":"api","value":{"method":"POST","path":"/pay",\
      "body":{"order":1}},"connection":1,"from":"client"}
      {"kind":"reset","source":"api","connection":1,"from":"server"}
      {"kind":"request","source":"api","value":{"method":"POST","path":"/pay",\
      "body":{"order":1}},"connection":2,"from":"client"}
      {"kind":"response","source":"api","value":{"status":200},"connection":2,"from":"server"}
      """,
    right: """
      {"kind":"request","source":"api","value":{"headers":{"idempotency-key":"k1"},\
      "method":"POST","path":"/pay","body":{"order":1}},"connection":1,"from":"client"}
      {"kind":"reset","source":"api","connection":1,"from":"server"}
      {"kind":"request","source":"api","value":{"headers":{"idempotency-key":"k1"},\
      "method":"POST","path":"/pay","body":{"order":1}},"connection":2,"from":"client"}
      {"kind":"response","source":"api","value":{"status":200},"connection":2,"from":"server"}
      """),
  DiagnosticPage(
    id: DeadSessionMachine.id, title: "A session is used after its end",
    text: """
      A server of MCP answers 404 if it does not know a session any more. The client begins a new \
      one with `initialize`. A session also ends with DELETE.
      """,
    wrong: """
      {"kind":"request","source":"api","value":{"headers":{"mcp-session-id":"s1"},\
      "method":"POST","path":"/"},"connection":1,"from":"client"}
      {"kind":"response","source":"api","value":{"status":404},"connection":1,"from":"server"}
      {"kind":"request","source":"api","value":{"headers":{"mcp-session-id":"s1"},\
      "method":"POST","path":"/"},"connection":1,"from":"client"}
      {"kind":"response","source":"api","value":{"status":404},"connection":1,"from":"server"}
      """,
    right: """
      {"kind":"request","source":"api","value":{"headers":{"mcp-session-id":"s1"},\
      "method":"POST","path":"/"},"connection":1,"from":"client"}
      {"kind":"response","source":"api","value":{"status":404},"connection":1,"from":"server"}
      {"kind":"request","source":"api","value":{"method":"POST","path":"/"},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":200},"connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: RefreshTokenMachine.id, title: "A refresh token is sent twice",
    text: """
      The server has given another refresh token, or the first request is still under way. Servers \
      treat the second use as theft, and end the session. After a lost answer it is no finding.
      """,
    wrong: """
      {"kind":"request","source":"api","value":{"method":"POST","path":"/token",\
      "body":{"grant_type":"refresh_token","refresh_token":"r1"}},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":200,"body":{"access_token":"a2",\
      "refresh_token":"r2"}},"connection":1,"from":"server"}
      {"kind":"request","source":"api","value":{"method":"POST","path":"/token",\
      "body":{"grant_type":"refresh_token","refresh_token":"r1"}},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":400},"connection":1,"from":"server"}
      """,
    right: """
      {"kind":"request","source":"api","value":{"method":"POST","path":"/token",\
      "body":{"grant_type":"refresh_token","refresh_token":"r1"}},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":200,"body":{"access_token":"a2",\
      "refresh_token":"r2"}},"connection":1,"from":"server"}
      {"kind":"request","source":"api","value":{"method":"POST","path":"/token",\
      "body":{"grant_type":"refresh_token","refresh_token":"r2"}},"connection":1,\
      "from":"client"}
      {"kind":"response","source":"api","value":{"status":200},"connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: EqualStreamsMachine.id, title: "Equal streams at once",
    text: """
      One client has the same event stream open three times or more, so it gets each event as \
      often. Clients differ by `Authorization`, `Cookie` and `User-Agent`.
      """,
    wrong: """
      {"kind":"request","source":"api","value":{"headers":{"accept":"text/event-stream"},\
      "method":"GET","path":"/"},"connection":1,"from":"client"}
      {"kind":"stream","source":"api","value":{"status":200,\
      "headers":{"content-type":"text/event-stream"}},"connection":1,"from":"server"}
      {"kind":"request","source":"api","value":{"headers":{"accept":"text/event-stream"},\
      "method":"GET","path":"/"},"connection":2,"from":"client"}
      {"kind":"stream","source":"api","value":{"status":200,\
      "headers":{"content-type":"text/event-stream"}},"connection":2,"from":"server"}
      {"kind":"request","source":"api","value":{"headers":{"accept":"text/event-stream"},\
      "method":"GET","path":"/"},"connection":3,"from":"client"}
      {"kind":"stream","source":"api","value":{"status":200,\
      "headers":{"content-type":"text/event-stream"}},"connection":3,"from":"server"}
      """,
    right: """
      {"kind":"request","source":"api","value":{"headers":{"accept":"text/event-stream"},\
      "method":"GET","path":"/"},"connection":1,"from":"client"}
      {"kind":"stream","source":"api","value":{"status":200,\
      "headers":{"content-type":"text/event-stream"}},"connection":1,"from":"server"}
      {"kind":"left","source":"api","connection":1,"from":"client"}
      {"kind":"request","source":"api","value":{"headers":{"accept":"text/event-stream"},\
      "method":"GET","path":"/"},"connection":2,"from":"client"}
      {"kind":"stream","source":"api","value":{"status":200,\
      "headers":{"content-type":"text/event-stream"}},"connection":2,"from":"server"}
      {"kind":"left","source":"api","connection":2,"from":"client"}
      {"kind":"request","source":"api","value":{"headers":{"accept":"text/event-stream"},\
      "method":"GET","path":"/"},"connection":3,"from":"client"}
      {"kind":"stream","source":"api","value":{"status":200,\
      "headers":{"content-type":"text/event-stream"}},"connection":3,"from":"server"}
      {"kind":"left","source":"api","connection":3,"from":"client"}
      """),
]
