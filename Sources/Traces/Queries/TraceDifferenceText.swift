import Diagnostics
import Values

extension TraceDifferences {
  package var areEqual: Bool { differences.isEmpty }

  package var answer: TraceAnswer {
    var json = ValueMap([
      ("equal", .bool(areEqual)), ("compared", .int(compared)),
      ("comparesTimes", .bool(comparesTimes)), ("hash", hash.map { .string($0) } ?? .null),
    ])
    json["headers"] = .list(headers.map { .string($0.rawValue) })
    json["differences"] = .list(differences.map { self.json($0) })
    return TraceAnswer(lines: lines, json: .map(json))
  }

  private var lines: [String] {
    var lines = [headline]
    for difference in differences { lines += self.lines(of: difference) }
    guard !headers.isEmpty else { return lines }
    let names = headers.map(\.rawValue).joined(separator: ", ")
    // What explains the differences is not cut off behind them.
    lines.insert("the headers differ in: \(names)", at: 1)
    return lines
  }

  private var headline: String {
    let events = "\(compared) event\(compared == 1 ? "" : "s") compared"
    let times = comparesTimes ? "" : ", without times"
    guard areEqual else {
      let count = differences.count
      return "\(count) difference\(count == 1 ? "" : "s"), \(events)\(times)"
    }
    return "equal: \(events)\(times)" + (hash.map { ", hash \($0)" } ?? "")
  }

  private func lines(of difference: Difference) -> [String] {
    let name = (difference.a ?? difference.b).map {
      visibleText($0.line.source ?? $0.line.kind.name)
    }
    let sides = [side("A", difference.a, in: a), side("B", difference.b, in: b)]
    let texts = [difference.a, difference.b].compactMap { $0?.line.valueText }
    let unseen =
      texts.count == 2 ? codePointDifference(actual: texts[0], expected: texts[1]) : nil
    return ["\(name ?? ""): \(difference.title)"] + sides.flatMap(\.self)
      + difference.parts.prefix(TraceDifferences.mostParts).map { "     " + visibleText($0) }
      + (unseen.map { ["     " + $0] } ?? [])
  }

  /// The most parts of a value that are named.
  private static let mostParts = 5

  /// The answer for the review of a change: a line for each source, which says how many of its
  /// events differ, and in which parts.
  package var summary: TraceAnswer {
    var sources: [Value: [Difference]] = [:]
    for difference in differences {
      sources[.string(difference.sourceName), default: []].append(difference)
    }
    let names = sources.keys.map(\.plainText).sorted(by: comesBefore)
    let texts = names.map { name in
      "\(visibleText(name)): \(TraceDifferences.summary(of: sources[.string(name)] ?? []))"
    }
    let shown =
      headers.isEmpty
      ? [] : ["the headers differ in: \(headers.map(\.rawValue).joined(separator: ", "))"]
    return TraceAnswer(
      lines: [headline] + shown + texts,
      json: .map(
        ValueMap([
          ("equal", .bool(areEqual)), ("compared", .int(compared)),
          ("headers", .list(headers.map { .string($0.rawValue) })),
          ("sources", .map(ValueMap(zip(names, texts).map { (.string($0), .string($1)) }))),
        ])))
  }

  private static func summary(of differences: [Difference]) -> String {
    func count(_ change: Difference.Change) -> Int { differences.count { $0.change == change } }
    let changed = differences.filter { $0.change == .value }
    let moved = differences.filter { if case .time = $0.change { true } else { false } }
    var texts: [String] = []
    if !changed.isEmpty {
      let parts = changed.flatMap(\.parts).map { String($0.prefix { $0 != ":" }) }
      var named: [String] = []
      for part in parts where !named.contains(part) { named.append(part) }
      let more = named.count > mostParts ? ", …" : ""
      let list = named.prefix(mostParts).joined(separator: ", ") + more
      texts.append("\(changed.count) changed" + (named.isEmpty ? "" : " (\(visibleText(list)))"))
    }
    if count(.onlyInB) > 0 { texts.append("\(count(.onlyInB)) added") }
    if count(.onlyInA) > 0 { texts.append("\(count(.onlyInA)) removed") }
    let late = moved.reduce(0) { $0 + 1 + $1.followers }
    if late > 0 { texts.append("\(late) at another time") }
    return texts.joined(separator: ", ")
  }

  private func side(_ name: String, _ entry: TraceReader.Entry?, in run: TraceRun) -> [String] {
    guard let entry else { return [] }
    let isVerdict = entry.line.knownKind == .verdict
    // Two verdicts may differ in their counts alone.
    let value = isVerdict ? entry.line.value?.json.json(sortedKeys: true) : nil
    let event =
      "  \(name)  event \(entry.number), \(entry.timeText)  \(value ?? entry.line.valueText)"
    guard let number = entry.line.cause else { return [event] }
    let cause = run.entry(number).map { ": \($0.text)" } ?? ", which is not in this trace"
    return [event, "     caused by event \(number)\(cause)"]
  }

  private func json(_ difference: Difference) -> Value {
    var map = ValueMap([("change", .string(difference.change.name))])
    map["a"] = difference.a?.json
    map["b"] = difference.b?.json
    if !difference.parts.isEmpty {
      map["parts"] = .list(difference.parts.map { .string($0) })
    }
    if case .time(let shift) = difference.change {
      map["shift"] = .int(Int(shift))
      map["followers"] = .int(difference.followers)
    }
    return .map(map)
  }
}

extension TraceDifferences.Difference {
  /// The source of the event, or its kind.
  fileprivate var sourceName: String {
    (a ?? b).map { $0.line.source ?? $0.line.kind.name } ?? ""
  }

  fileprivate var title: String {
    switch change {
    case .value: "another event"
    case .onlyInA: "missing in B"
    case .onlyInB: "missing in A"
    case .time(let shift): "\(shiftText(shift)) in B\(followersText)"
    }
  }

  private var followersText: String {
    switch followers {
    case 0: ""
    case 1: ", and so is 1 other event"
    default: ", and so are \(followers) other events"
    }
  }
}

private func shiftText(_ shift: Microseconds) -> String {
  shift < 0 ? "\(durationText(-shift)) earlier" : "\(durationText(shift)) later"
}

extension TraceDifferences.Difference.Change {
  fileprivate var name: String {
    switch self {
    case .value: "value"
    case .time: "time"
    case .onlyInA: "onlyInA"
    case .onlyInB: "onlyInB"
    }
  }
}
