import Diagnostics

/// The pages of `rehearse explain` about the rules of protocols. Their examples are lines of a
/// trace.
package let trafficRulePages: [DiagnosticPage] = liveRulePages + recordingRulePages

private let liveRulePages: [DiagnosticPage] = [
  DiagnosticPage(
    id: EventIDMachine.id, title: "The ids of a stream's events go back",
    text: """
      A client that loses its connection asks for the events after the last id that it got. If ids
      go back on one connection, it gets events again, or misses some. Numbers must not become
      smaller, and any other id must not come again after another one. Events in a row may share an
      id. A new connection may begin anywhere.
      """,
    wrong: """
      {"kind":"event","source":"feed","value":{"id":"8","data":"b"},"connection":1,"from":"server"}
      {"kind":"event","source":"feed","value":{"id":"7","data":"a"},"connection":1,"from":"server"}
      """,
    right: """
      {"kind":"event","source":"feed","value":{"id":"7","data":"a"},"connection":1,"from":"server"}
      {"kind":"event","source":"feed","value":{"id":"8","data":"b"},"connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: AfterDoneMachine.id, title: "An event comes after `[DONE]`",
    text: """
      Streams of language models end with the event `[DONE]`. Clients stop reading there, so that
      they lose what follows it. Comments may follow.
      """,
    wrong: """
      {"kind":"event","source":"model","value":{"data":"[DONE]"},"connection":1,"from":"server"}
      {"kind":"event","source":"model","value":{"data":"late"},"connection":1,"from":"server"}
      """,
    right: """
      {"kind":"event","source":"model","value":{"data":"last"},"connection":1,"from":"server"}
      {"kind":"event","source":"model","value":{"data":"[DONE]"},"connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: CutEventMachine.id, title: "A stream ends in the middle of an event",
    text: """
      An event ends with an empty line. A client drops an event without one, so what the server
      wrote last is lost. A connection that breaks, or that the client ends, is no such case.
      """,
    wrong: "data: {\"text\":\"the last\"}      # the end of the body",
    right: "data: {\"text\":\"the last\"}\n                                # and an empty line"),
  DiagnosticPage(
    id: ReconnectionMachine.id, title: "A client connects again sooner than it may",
    text: """
      The server of an event stream says with `retry:` how many milliseconds a client waits before
      it connects again, and with `Retry-After` in an answer 429 or 503 how many seconds. Without
      either, the `retry` of a connection in the scenario says it. The report has what says it, the
      end of the stream and the new request. In real time, 20ms are allowed.
      """,
    wrong: """
      {"us":0,"kind":"request","source":"feed",\
      "value":{"headers":{"accept":"text/event-stream"},"method":"GET","path":"/"},\
      "connection":1,"from":"client"}
      {"us":0,"kind":"event","source":"feed",\
      "value":{"data":"a","retry":5000},"connection":1,"from":"server"}
      {"us":0,"kind":"goodbye","source":"feed","connection":1,"from":"server"}
      {"us":1000000,"kind":"request","source":"feed",\
      "value":{"headers":{"accept":"text/event-stream"},"method":"GET","path":"/"},\
      "connection":2,"from":"client"}
      """,
    right: """
      {"us":0,"kind":"request","source":"feed",\
      "value":{"headers":{"accept":"text/event-stream"},"method":"GET","path":"/"},\
      "connection":1,"from":"client"}
      {"us":0,"kind":"event","source":"feed",\
      "value":{"data":"a","retry":5000},"connection":1,"from":"server"}
      {"us":0,"kind":"goodbye","source":"feed","connection":1,"from":"server"}
      {"us":5000000,"kind":"request","source":"feed",\
      "value":{"headers":{"accept":"text/event-stream"},"method":"GET","path":"/"},\
      "connection":2,"from":"client"}
      """),
  DiagnosticPage(
    id: CloseCodeMachine.id, title: "A WebSocket is closed with a code that may not be sent",
    text: """
      Only 1000 to 1003, 1007 to 1014 and 3000 to 4999 may stand in a close frame. 1005, 1006 and
      1015 are what programs report if there was no code; in a recording they are right, and in the
      bytes of a frame they are not.
      """,
    wrong: """
      {"kind":"goodbye","source":"chat","value":{"code":5000},"connection":1,"from":"server"}
      """,
    right: """
      {"kind":"goodbye","source":"chat","value":{"code":4000},"connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: UnansweredMachine.id, title: "A request was neither answered nor cancelled",
    text: """
      At the end of a whole recording nothing followed from this request: no answer, no end of its
      connection, and its client did not leave. A trace is whole if it has a verdict, or if another
      program wrote it to its end. In an archive each entry has all that followed from it.
      """,
    wrong: """
      {"kind":"request","source":"api",\
      "value":{"method":"GET","path":"/"},"connection":1,"from":"client"}
      """,
    right: """
      {"kind":"request","source":"api",\
      "value":{"method":"GET","path":"/"},"connection":1,"from":"client"}
      {"kind":"response","source":"api","value":{"status":200},"connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: ContentTypeMachine.id, title: "A body is not what its `Content-Type` says",
    text: """
      A body that is announced as JSON is JSON, each line of a stream of JSON lines as well, and a
      body that is announced as an event stream is no JSON object. Empty bodies and those with a
      `Content-Encoding` are not judged.
      """,
    wrong: "content-type: application/json\n\n<html>502 Bad Gateway</html>",
    right: "content-type: text/html\n\n<html>502 Bad Gateway</html>"),
  DiagnosticPage(
    id: CallIDMachine.id, title: "A JSON-RPC call is not answered once",
    text: """
      Each call with an id gets one `result` or `error` with that id. The rule looks at bodies,
      events, lines and messages. A call is cancelled if its connection breaks, its client leaves,
      or `notifications/cancelled` names it. What a server sends again after `Last-Event-ID` counts
      once.
      """,
    wrong: """
      {"kind":"message","source":"rpc",\
      "value":{"id":1,"jsonrpc":"2.0","method":"sum"},"connection":1,"from":"client"}
      {"kind":"message","source":"rpc",\
      "value":{"id":1,"jsonrpc":"2.0","result":1},"connection":1,"from":"server"}
      {"kind":"message","source":"rpc",\
      "value":{"id":1,"jsonrpc":"2.0","result":1},"connection":1,"from":"server"}
      """,
    right: """
      {"kind":"message","source":"rpc",\
      "value":{"id":1,"jsonrpc":"2.0","method":"sum"},"connection":1,"from":"client"}
      {"kind":"message","source":"rpc",\
      "value":{"id":1,"jsonrpc":"2.0","result":1},"connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: ToolCallMachine.id, title: "A tool call of a language model is not closed",
    text: """
      A stream that opens a tool call closes it before the answer ends: with `content_block_stop`,
      with a `finish_reason`, or with `response.output_item.done`. A client that runs a call which
      is not closed may have only a part of its arguments.
      """,
    wrong: """
      data: {"choices":[{"index":0,\
      "delta":{"tool_calls":[{"index":0,"function":{"name":"find"}}]}}]}

      data: [DONE]
      """,
    right: """
      data: {"choices":[{"index":0,\
      "delta":{"tool_calls":[{"index":0,"function":{"name":"find"}}]}}]}

      data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

      data: [DONE]
      """),
]
