import Diagnostics
import Values
import YAMLSyntax

extension MappingReader {
  /// Reads the diagram under `marble`. The keys beside it define its characters.
  func marble<Payload: Sendable>(
    as role: MarbleRole, tick: Microseconds, _ read: (YAMLNode) -> Payload?,
    text: (DataSpec) -> Payload
  ) -> Marble<Payload>? {
    guard let entry = self[.marble] else { return nil }
    let payloads = MarblePayloads(self, read)
    guard let diagram = values.readDiagram(entry.value, .key(.marble), tick, as: role),
      let payloads
    else { return nil }
    var moments: [Marble<Payload>.Moment] = []
    for moment in diagram.scan.moments {
      let place = diagram.place(moment)
      guard let kind = values.kind(of: moment, at: place, payloads, text) else {
        return nil
      }
      moments.append(
        .init(kind: kind, symbol: diagram.symbol(moment), time: moment.time, range: place))
    }
    values.reportUnused(payloads, in: diagram)
    return Marble(
      diagram: diagram.text, tick: tick, moments: moments, end: diagram.scan.end)
  }
}

/// The parts of a diagram, with their places in the file.
struct ReadDiagram {
  var scan: MarbleScan
  var text: Located<String>
  /// The text with its places; nil if the parts have the place of the whole.
  var source: ExpressionText?

  func place(_ moment: MarbleScan.Moment) -> SourceRange {
    source?.range(offset: moment.place.lowerBound, length: moment.place.count) ?? text.range
  }

  func symbol(_ moment: MarbleScan.Moment) -> String {
    switch moment.mark {
    case .value(let character): String(character)
    case .completion: "|"
    case .failure: "#"
    case .subscription: "^"
    case .unsubscription: "!"
    }
  }
}

/// The meaning of the characters of a diagram.
private struct MarblePayloads<Payload> {
  /// The values; nil if each character stands for itself.
  var values: [(symbol: Located<String>, payload: Payload)]?
  var error: (key: SourceRange, payload: Payload)?

  /// Reads the keys beside a diagram. Fails if one of them is wrong.
  init?(_ fields: MappingReader, _ read: (YAMLNode) -> Payload?) {
    var isWhole = true
    if let entry = fields[.error] {
      let payload = read(entry.value)
      error = payload.map { (entry.keyRange, $0) }
      isWhole = payload != nil
    }
    if let node = fields[.values]?.value {
      let entries = fields.entries(.values)
      values = entries.compactMap { entry in
        let payload = read(entry.value)
        guard entry.key.count == 1, entry.key.first?.isMarbleSymbol == true else {
          fields.values.report(.badMarbleSymbol(entry.key, at: entry.keyRange))
          return nil
        }
        return payload.map { (entry.name, $0) }
      }
      if values?.count != node.entries?.count { isWhole = false }
    }
    if !isWhole { return nil }
  }
}

/// The longest diagram in which the places of characters are found if text and file diverge.
/// Finding each place walks over all characters before it.
private let longestOutOfStep = 1 << 10

extension DocumentReader {
  fileprivate func readDiagram(
    _ node: YAMLNode, _ subject: ValueSubject, _ tick: Microseconds, as role: MarbleRole
  ) -> ReadDiagram? {
    guard let scalar = node.scalar, !scalar.isAbsent else {
      reportWrongType(
        node, subject, takes: .diagram,
        help: "put quotes around the diagram; `#` begins a comment and `|` a block of text")
      return nil
    }
    let isFound = scalar.startInStep != nil || scalar.text.utf8.count <= longestOutOfStep
    let source = isFound ? expression(Array(scalar.text.utf8)[...], of: scalar) : nil
    switch scanMarble(scalar.text, tick: tick, as: role) {
    case .success(let scan):
      return ReadDiagram(scan: scan, text: Located(scalar.text, node.range), source: source)
    case .failure(let problem):
      report(.badMarble(problem, in: source, whole: node.range))
      return nil
    }
  }

  fileprivate func kind<Payload>(
    of moment: MarbleScan.Moment, at place: SourceRange, _ payloads: MarblePayloads<Payload>,
    _ text: (DataSpec) -> Payload
  ) -> Marble<Payload>.Kind? {
    switch moment.mark {
    case .completion: return .completion
    case .failure: return .failure(payloads.error?.payload)
    case .value(let character):
      let symbol = String(character)
      guard let values = payloads.values else {
        return .value(text(DataSpec(.literal(.string(symbol)), place)))
      }
      if let value = values.first(where: { $0.symbol.value == symbol }) {
        return .value(value.payload)
      }
      report(.unknownMarbleSymbol(symbol, known: values.map(\.symbol.value), at: place))
      return nil
    case .subscription, .unsubscription: return nil
    }
  }

  /// Warns of values that the diagram never shows.
  fileprivate func reportUnused<Payload>(
    _ payloads: MarblePayloads<Payload>, in diagram: ReadDiagram
  ) {
    let shown = Set(diagram.text.value)
    for value in payloads.values ?? [] where !value.symbol.value.contains(where: shown.contains) {
      report(.unusedMarbleValue(value.symbol.value, at: value.symbol.range, diagram.text.range))
    }
    if let error = payloads.error, !shown.contains("#") {
      report(.unusedMarbleError(at: error.key, diagram.text.range))
    }
  }
}

// MARK: - diagrams that are expected

extension DocumentReader {
  func readExpectedMarble(_ node: YAMLNode, _ source: String) -> SequenceSpec? {
    guard let fields = open(node, LanguageTable.marble, "`\(source)`") else { return nil }
    // Where the tick is wrong, there was a complaint, and the diagrams are still looked at.
    let tick = fields.tick(.tick)?.value ?? Marble<MatcherSpec>.defaultTick
    let marble = fields.marble(as: .expected, tick: tick, readMatcher) {
      MatcherSpec(.scalar($0), $0.range)
    }
    guard let entry = fields[.subscriptions] else {
      return marble.map { .marble($0, subscriptions: nil) }
    }
    let subscriptions = readSubscriptions(entry.value, tick)
    guard let subscriptions, marble != nil || !fields.has(.marble) else { return nil }
    return .marble(marble, subscriptions: subscriptions)
  }

  private func readSubscriptions(_ node: YAMLNode, _ tick: Microseconds)
    -> [SubscriptionMarble]?
  {
    guard case .sequence(let nodes) = node.content else {
      return readSubscription(node, .key(.subscriptions), tick).map { [$0] }
    }
    let all = nodes.compactMap { readSubscription($0, .element(.subscriptions), tick) }
    return all.count == nodes.count ? all : nil
  }

  private func readSubscription(_ node: YAMLNode, _ subject: ValueSubject, _ tick: Microseconds)
    -> SubscriptionMarble?
  {
    guard let diagram = readDiagram(node, subject, tick, as: .subscription) else { return nil }
    let time = { (mark: MarbleScan.Mark) in
      diagram.scan.moments.first { $0.mark == mark }?.time
    }
    return SubscriptionMarble(
      diagram: diagram.text, tick: tick, subscribed: time(.subscription),
      unsubscribed: time(.unsubscription))
  }
}
