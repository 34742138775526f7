import TextSearch

extension LanguageTable {
  package static let traces = MappingRule(
    .traces, title: "Traces",
    "What traces hold, and what a replay compares. A word alone is a header; anything else is a "
      + "way into a message: `body.user.email`, `query.page`, `body.items.*.id`, where `*` is each "
      + "element.",
    keys: [
      KeyRule(
        .keep, .list(.text),
        "What a trace has as it is, though it looks like a secret or is a header of a real "
          + "endpoint.",
        example: "[X-Request-Id, body.page.key]"),
      KeyRule(
        .hide, .list(.text), "What a trace has by a name only, such as `‹email#1›`.",
        example: "[X-Customer, body.user.email]"),
      KeyRule(
        .match, .list(.text),
        "The parts of a request that choose its recorded answer. Without it: method, path, query, "
          + "`Last-Event-ID` and body.",
        example: "[method, path, query.page]"),
      KeyRule(
        .ignore, .list(.text), "What a replay does not compare.",
        example: "[X-Request-Id, body.sentAt]"),
    ])

  static let tracesRule = KeyRule(
    .traces, .mapping(.traces), "What traces hold, and what a replay compares.",
    example: "{ hide: [body.user.email], ignore: [X-Request-Id] }")

  package static let lineMapping = MappingRule(
    .lineMapping, title: "A source from lines",
    "How lines that another program logged become events. Each expression reads `line`: a map for "
      + "a line of JSON, else the text of the line.",
    keys: [
      KeyRule(
        .`where`, .expression, "Which lines are events of the source. Without it, all are.",
        example: "line.logger == 'pay'"),
      KeyRule(
        .value, .expression, "The value of the event; `line` without it.", example: "line.msg"),
      KeyRule(
        .time, .expression,
        "The time of the event. Without it, the usual members are tried: `time`, `timestamp`, "
          + "`ts`.",
        example: "line.at"),
    ])
}
