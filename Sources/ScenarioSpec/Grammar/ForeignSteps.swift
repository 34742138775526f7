import TextSearch

/// The steps of other tools, with what to write here.
enum ForeignSteps {
  /// Returns the help line for a step of another tool that no single verb stands for.
  ///
  /// A step may be a whole line of another language, such as `GET /tasks` or `expect(x).toBe(1)`;
  /// then its first word decides.
  static func help(for step: String) -> String? {
    let words = step.split { " (\t".contains($0) }.map { $0.lowercased() }
    guard let first = words.first else { return nil }
    if let help = helps[first] { return help }
    if first.hasPrefix("waitfor") { return waiting }
    let members = first.split(separator: ".").map(String.init)
    if let last = members.last, members.count > 1 { return helpForMember(last, of: step) }
    return nil
  }

  /// Returns the help for `cat.load` as a step, or for a call such as `page.goto('/')`.
  private static func helpForMember(_ member: String, of step: String) -> String? {
    if let help = helps[member] { return help }
    let address = step.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "._".contains($0)) }
    let rest = step.dropFirst(address.count)
    return rest.isEmpty || rest == "()" ? "write `- send: \(address)`" : nil
  }

  private static let waiting =
    "write `- wait: 1s` for time, `- eventually: count == 3` for a condition, "
    + "`- expect: …` for an event"

  private static let helps: [String: String] = {
    var helps: [String: String] = [:]
    func add(_ words: [String], _ help: String) { for word in words { helps[word] = help } }
    for method in ["get", "post", "put", "patch", "delete", "head", "options"] {
      helps[method] = "write `- request: { endpoint: api, \(method): /tasks }`"
    }
    add(["fetch", "curl", "url", "method", "path"], "write `- request: \(request)`")
    add(
      ["http", "status", "asserts", "statuscode"],
      "expect it in the request: `- request: \(expecting)`")
    add(
      ["call"],
      "write `- request: \(request)` for a request, `- include: login.steps.yaml` for steps of "
        + "another file")
    add(["until", "poll"], "write `- retry: { until: count == 3 }`, with `steps` beside it")
    add(["given", "when", "then", "and", "but"], ForeignNames.gherkinHelp)
    add(
      ["match", "expect", "should", "tobe", "toequal"],
      "write a condition: `- check: count == 3`; "
        + "what an answer is like stands in the `expect` of its `request`")
    add(
      ["expectobservable", "expectsubscriptions"],
      "write `- expect: { prices: { marble: \"--a--b|\" } }`")
    add(["subscribe"], "leave it out: `expect` names the streams that it watches")
    add(
      ["test", "it", "describe", "scenario", "context"],
      "a scenario is a document: begin one with `scenario: TITLE`, after a line with `---`")
    add(
      ["click", "fill", "goto", "visit", "press", "type", "navigate", "screenshot"],
      "there is no browser: write `- request: \(request)`, or `- send: …` to a reactor")
    add(
      ["route", "stub", "intercept", "mock"],
      "a mock stands in the stage: "
        + "`endpoints: { api: { http: [{ get: /tasks, respond: { json: [] } }] } }`")
    add(["waituntil"], waiting)
    add(
      ["group", "step", "section", "block", "fold"],
      "leave it out, and write its steps here; `- include: login.steps.yaml` shares steps")
    add(
      ["verify", "tohavebeencalled", "tohavebeencalledtimes"],
      "write `- check: count(api) == 1` for the number of requests, "
        + "`- expect: { api: { get: /tasks } }` for what they are like")
    add(["flush", "tick", "advancetimersbytime"], "write `- wait: 10ms`: the time is virtual")
    return helps
  }()

  private static let request = "{ endpoint: api, get: /tasks }"
  private static let expecting = "{ endpoint: api, get: /tasks, expect: { status: 200 } }"
}
