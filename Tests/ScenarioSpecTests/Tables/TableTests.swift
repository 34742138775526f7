import ScenarioSpec
import Testing

@Suite struct TableTests {
  @Test(arguments: examples)
  func `every example of the table is accepted`(example: Example) {
    let reading = Reading(example.document)
    #expect(reading.complaints == [], "\(example.document)")
    #expect(reading.documents.count == 1)
  }

  @Test(arguments: examples.filter { $0.wrong != nil })
  func `a value of another shape is refused at its place`(example: Example) throws {
    let reading = Reading(example.withValue(try #require(example.wrong)))
    let start = example.lineOfKey
    #expect(!reading.complaints.isEmpty, "\(example.document)")
    #expect(reading.complaints.allSatisfy { $0.hasPrefix("\(start):") })
  }

  @Test(arguments: LanguageTable.steps.flatMap { rule in rule.places.map { (rule, $0) } })
  func `every step of the table is read in each of its places`(
    rule: StepRule, place: Place
  ) throws {
    let text = example(of: rule.verb, in: rule.mapping, frame(of: place)).document
    let document = try #require(Reading(text).first)
    #expect(document.scripts(in: place).flatMap(\.steps).map(\.verb.value) == [rule.verb.name])
  }

  @Test func `scenario steps and final steps are the same steps`() {
    for rule in LanguageTable.steps {
      #expect(rule.places.contains(.scenario) == rule.places.contains(.finally))
    }
  }

  @Test(arguments: Place.allCases)
  func `a verb means one thing in one place`(place: Place) {
    let verbs = LanguageTable.steps.filter { $0.places.contains(place) }.map(\.verb.name)
    #expect(Set(verbs).count == verbs.count)
  }

  @Test func `every key has a sentence that ends`() {
    let mappings = LanguageTable.mappings + LanguageTable.steps.map(\.mapping)
    for rule in mappings.flatMap(\.keys) {
      #expect(rule.text.hasSuffix("."), "\(rule.name)")
      #expect(rule.text.first?.isUppercase ?? false, "\(rule.name)")
    }
  }
}

/// A key of the table in the smallest document that can hold it.
struct Example: CustomTestStringConvertible, Sendable {
  var rule: KeyRule
  /// The text around the mapping, with a mark where its lines go.
  var frame: String
  /// Other lines of the mapping that this key needs.
  var companions: [String] = []

  var testDescription: String { rule.name }

  var document: String { withValue(rule.example) }

  func withValue(_ value: String) -> String {
    fill(frame, with: ["\(rule.name): \(value)"] + companions)
  }

  var lineOfKey: Int {
    frame.split(separator: "\n").firstIndex { $0.contains("@") }.map { $0 + 1 } ?? 0
  }

  /// A value that the key's shape does not allow.
  var wrong: String? {
    switch rule.shape {
    case .value, .literal, .noMap, .valueWithout, .matcher, .sequence: nil
    case .text, .eventName, .name, .address, .path, .words, .duration, .anyDuration, .tick,
      .diagram, .clock, .expression:
      "[[]]"
    case .bool, .flag, .integer, .count, .scalar, .fraction, .number, .streamOperators: "[1]"
    case .anyOf(let shapes) where shapes.contains(.diagram): "{ a: 1 }"
    case .anyOf(let shapes) where shapes.contains(.expression): "[[]]"
    case .anyOf(let shapes) where shapes.contains(.text) || shapes.contains(.scalar): "[[]]"
    case .step, .script, .list, .map, .single, .mapping, .anyOf: "1.5"
    }
  }
}

/// Puts lines at the mark `@` of a frame, all at its depth.
private func fill(_ frame: String, with lines: [String]) -> String {
  var result: [String] = []
  for line in frame.split(separator: "\n", omittingEmptySubsequences: false) {
    guard let mark = line.firstIndex(of: "@") else {
      result.append(String(line))
      continue
    }
    let depth = line.distance(from: line.startIndex, to: mark)
    for (index, added) in lines.enumerated() {
      let before = index == 0 ? String(line[..<mark]) : String(repeating: " ", count: depth)
      result.append(before + added)
    }
  }
  return result.joined(separator: "\n")
}

private let frames: [(MappingRule, String)] = [
  (LanguageTable.scenario, "@"),
  (LanguageTable.use, "scenario: A\nuse:\n  - components/a.component.yaml:\n      @"),
  (LanguageTable.table, "scenario: A\ncases:\n  @"),
  (LanguageTable.variable, "scenario: A\nvars:\n  v:\n    @"),
  (LanguageTable.node, "scenario: A\ngraph:\n  n:\n    @"),
  (LanguageTable.reactor, "scenario: A\nreactors:\n  r:\n    @"),
  (LanguageTable.action, "scenario: A\nreactors:\n  r:\n    actions:\n      a:\n        @"),
  (LanguageTable.endpoint, "scenario: A\nendpoints:\n  e:\n    @"),
  (LanguageTable.route, "scenario: A\nendpoints:\n  e:\n    http:\n      - @"),
  (
    LanguageTable.answer,
    "scenario: A\nendpoints:\n  e:\n    http:\n      - get: /x\n        respond:\n          @"
  ),
  (LanguageTable.crossOrigin, "scenario: A\nendpoints:\n  e:\n    cors:\n      @"),
  (
    LanguageTable.requestMatch,
    "scenario: A\nendpoints:\n  e:\n    http:\n      - get: /x\n        respond: drop\n"
      + "        match:\n          @"
  ),
  (
    LanguageTable.chunks,
    "scenario: A\nendpoints:\n  e:\n    http:\n      - get: /x\n        respond:\n"
      + "          text: a\n          chunks:\n            @"
  ),
  (LanguageTable.provider, "scenario: A\nproviders:\n  p:\n    @"),
  (
    LanguageTable.requestRetry,
    "scenario: A\nproviders:\n  p:\n    endpoint: api\n    get: /x\n    retry:\n      @"
  ),
  (LanguageTable.connection, "scenario: A\nconnections:\n  c:\n    @"),
  (LanguageTable.connectionRequest, "scenario: A\nconnections:\n  c:\n    sse:\n      @"),
  (LanguageTable.socketRequest, "scenario: A\nconnections:\n  c:\n    websocket:\n      @"),
  (
    LanguageTable.retryPolicy,
    "scenario: A\nconnections:\n  c:\n    sse: { endpoint: e, path: / }\n    retry:\n      @"
  ),
  (
    LanguageTable.ping,
    "scenario: A\nconnections:\n  c:\n    websocket: { endpoint: e, path: / }\n    ping:\n      @"
  ),
  (LanguageTable.conversation, "scenario: A\nendpoints:\n  e:\n    sse:\n      - @"),
  (LanguageTable.lineConversation, "scenario: A\nendpoints:\n  e:\n    ndjson:\n      - @"),
  (
    LanguageTable.acceptance,
    "scenario: A\nendpoints:\n  e:\n    sse:\n      - accept:\n          @"
  ),
  (
    LanguageTable.socketConversation,
    "scenario: A\nendpoints:\n  e:\n    websocket:\n      - @"
  ),
  (
    LanguageTable.socketAcceptance,
    "scenario: A\nendpoints:\n  e:\n    websocket:\n      - accept:\n          @"
  ),
  (
    LanguageTable.serverEvent,
    "scenario: A\nendpoints:\n  e:\n    sse:\n      - accept: {}\n        script:\n"
      + "          - event:\n              @"
  ),
  (
    LanguageTable.closing,
    "scenario: A\nendpoints:\n  e:\n    websocket:\n      - accept: {}\n        script:\n"
      + "          - close:\n              @"
  ),
  (
    LanguageTable.hexadecimal,
    "scenario: A\nendpoints:\n  e:\n    websocket:\n      - accept: {}\n        script:\n"
      + "          - bytes:\n              @"
  ),
  (LanguageTable.served, "scenario: A\nsteps:\n  - serve:\n      e:\n        @"),
  (LanguageTable.database, "scenario: A\ndatabases:\n  d:\n    @"),
  (LanguageTable.list, "scenario: A\nlists:\n  l:\n    @"),
  (LanguageTable.statement, "scenario: A\nsteps:\n  - sql:\n      d:\n        @"),
  (
    LanguageTable.loadCall,
    "scenario: A\nreactors:\n  r:\n    actions:\n      a:\n        - load:\n            f:\n"
      + "              @"
  ),
  (LanguageTable.stream, "scenario: A\nstreams:\n  s:\n    @"),
  (LanguageTable.input, "scenario: A\nstreams:\n  s:\n    from:\n      @"),
  (
    LanguageTable.call,
    "scenario: A\nstreams:\n  s:\n    from: a\n    through:\n      - switch:\n          @"
  ),
  (
    LanguageTable.callChoice,
    "scenario: A\nstreams:\n  s:\n    from: a\n    through:\n      - switch:\n          - @"
  ),
  (LanguageTable.invariant, "scenario: A\ninvariants:\n  - @"),
  (LanguageTable.leadsTo, "scenario: A\ninvariants:\n  - leadsTo:\n      @"),
  (LanguageTable.network, "scenario: A\nsteps:\n  - network:\n      @"),
  (LanguageTable.endpointNetwork, "scenario: A\nsteps:\n  - network:\n      api:\n        @"),
  (LanguageTable.snapshot, "scenario: A\nsteps:\n  - snapshot:\n      @"),
  (LanguageTable.include, "scenario: A\nsteps:\n  - include:\n      @"),
  (LanguageTable.marble, "scenario: A\nsteps:\n  - expect:\n      s:\n        @"),
  (LanguageTable.entry, "scenario: A\nsteps:\n  - expect:\n      - @"),
  (LanguageTable.operators, "scenario: A\nsteps:\n  - expect:\n      s:\n        @"),
]

extension ScenarioDocument {
  fileprivate func scripts(in place: Place) -> [ScriptSpec] {
    switch place {
    case .scenario: [steps]
    case .finally: finally.map { [$0] } ?? []
    case .action: stage.reactors.flatMap(\.actions).map(\.steps)
    case .endpoint, .eventStream, .lines, .webSocket: stage.endpoints.flatMap(\.scripts)
    }
  }
}

private func frame(of place: Place) -> String {
  switch place {
  case .scenario: "scenario: A\nsteps:\n  - @"
  case .finally: "scenario: A\nfinally:\n  - @"
  case .action: "scenario: A\nreactors:\n  r:\n    actions:\n      a:\n        - @"
  case .endpoint:
    "scenario: A\nendpoints:\n  e:\n    http:\n      - get: /x\n        script:\n          - @"
  case .eventStream:
    "scenario: A\nendpoints:\n  e:\n    sse:\n      - accept: {}\n        script:\n          - @"
  case .lines:
    "scenario: A\nendpoints:\n  e:\n    ndjson:\n      - accept: {}\n        script:\n          - @"
  case .webSocket:
    "scenario: A\nendpoints:\n  e:\n    websocket:\n      - accept: {}\n        script:\n"
      + "          - @"
  }
}

let examples: [Example] =
  frames.flatMap { rule, frame in
    rule.keys.map { example(of: $0, in: rule, frame) }
  }
  + LanguageTable.steps.flatMap { step in
    step.places.flatMap { place in
      // Only actions wait for what they send.
      step.mapping.keys.filter { $0.belongs(in: place) }.map { key in
        example(of: key, in: step.mapping, frame(of: place), verb: step.verb)
      }
    }
  }

/// Origins of providers that take other keys than requests do.
private let companionsInProvider: [Key: [String]] = [
  .file: [], .stream: [], .database: ["query: SELECT 1"],
  .live: ["database: local", "query: SELECT 1"],
]

/// An error is written beside a diagram that shows a failure.
private func errorOfDiagram(_ key: KeyRule, _ frame: String) -> Example {
  Example(rule: key, frame: frame, companions: ["marble: '--#'"])
}

/// Returns the key with the other keys that the table requires beside it.
private func example(
  of key: KeyRule, in rule: MappingRule, _ frame: String, verb: KeyRule? = nil
) -> Example {
  var others = rule.keys.filter { $0.isRequired && $0 !== key }
  if rule.name == .entry, key.key != .anyOrder {
    return Example(rule: key, frame: frame, companions: ["source: 1"])
  }
  var groups = rule.exactlyOneOf
  if rule.name == .provider, key.key != .items, !groups.isEmpty { groups = [[.endpoint]] }
  if let companions = companionsInProvider[key.key], rule.name == .provider {
    return Example(rule: key, frame: frame, companions: companions)
  }
  if rule.name == .list, [.with, .initial, .start].contains(key.key) { groups = [[.from]] }
  if rule.name == .call { groups = [[key.key == .stream ? .stream : .provider]] }
  if let need = rule.needs.first(where: { $0.key == key.key }), !rule.exactlyOneOf.isEmpty,
    rule.name != .provider
  {
    let isOfRoute = rule.name == .route
    groups = (isOfRoute ? [LanguageTable.routeMethods] : []) + [need.oneOf]
  }
  if [.marble, .stream].contains(rule.name), key.key == .error {
    return errorOfDiagram(key, frame)
  }
  for group in groups where !group.contains(key.key) {
    if let first = group.first, let other = rule.rule(for: first) { others.append(other) }
  }
  let present = others.map(\.key) + [key.key]
  for need in rule.needs where present.contains(need.key) {
    if !need.oneOf.contains(where: present.contains), let first = need.oneOf.first,
      let other = rule.rule(for: first)
    {
      others.append(other)
    }
  }
  return Example(
    rule: key, frame: frame, companions: others.map { "\($0.name): \($0.example)" })
}
