import Diagnostics
import Values

/// A part of a run, as a machine wrote it with `--format ndjson`: its lines, not yet understood.
package struct ReportPart: Sendable {
  /// The file of the part.
  package let path: String
  var began: Value = .null
  var files: [Value] = []
  var scenarios: [Value] = []
  /// The last line; nil if the run was cut off.
  var ended: Value?
  package private(set) var problems: [Diagnostic] = []
  /// The text that a problem quotes.
  package private(set) var sources = SourceMap()

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      guard let damage = damage(of: line) else { continue }
      // The last line of a run that was killed may be half a line.
      if index < lines.count - 1 || began == .null { report(damage, in: bytes) }
      break
    }
    if began == .null, problems.isEmpty {
      report(Damage("it is empty", at: 0), in: bytes)
    } else if ended == nil, problems.isEmpty {
      problems.append(.cutPart(path))
    }
  }

  /// Makes a part of the lines of a run that has no file.
  package init(lines: [UInt8]) {
    self.init(path: "", bytes: Array(ReportEvent.began().line().utf8) + lines)
  }

  /// The reason why a line is none of a report, and the byte of the mistake.
  private struct Damage {
    var reason: String
    var offset: Int

    init(_ reason: String, at offset: Int) { (self.reason, self.offset) = (reason, offset) }
  }

  private mutating func report(_ damage: Damage, in bytes: [UInt8]) {
    let file = sources.add(SourceFile(path: path, bytes: bytes))
    let start = Int32(clamping: min(damage.offset, bytes.count))
    let end = min(start + 1, Int32(clamping: bytes.count))
    problems.append(
      .badPart(path, damage.reason, at: SourceRange(file: file, start: start, end: end)))
  }

  /// Takes a line; returns what is wrong with it.
  private mutating func damage(of line: ArraySlice<UInt8>) -> Damage? {
    switch parseJSON(line) {
    case .failure(let problem):
      Damage(
        "a line of a report is a JSON object: \(problem.message)",
        at: line.startIndex + problem.offset)
    case .success(let value): take(value).map { Damage($0, at: line.startIndex) }
    }
  }

  /// Takes a line; returns the reason if it is none of a report.
  private mutating func take(_ line: Value) -> String? {
    guard let event = line.text("event") else { return "a line of a report has an `event`" }
    if event == "began" {
      guard line.number("version") == reportEventsVersion else {
        return "this version of Rehearsal reads reports of version \(reportEventsVersion)"
      }
      began = line
      return nil
    }
    guard began != .null else { return "the first line of a report has the event `began`" }
    switch event {
    case "file" where line.text("path") != nil: files.append(line)
    case "scenario" where line.text("path") != nil && line.text("outcome") != nil:
      scenarios.append(line)
    case "ended": ended = line
    // Later versions may add events of other names.
    default:
      guard ReportEvent.names.contains(event) else { return nil }
      return "the event `\(event)` has a `path`" + (event == "file" ? "" : " and an `outcome`")
    }
    return nil
  }

  var shard: ReportShard? {
    guard let shard = began["shard"], let index = shard.number("index"),
      let count = shard.number("of")
    else { return nil }
    return ReportShard(index: index, count: count)
  }
}

/// The part of a suite that a run is.
package struct ReportShard: Sendable, Hashable {
  /// The number of the part, from 1.
  package var index: Int
  package var count: Int

  package init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }
}

// Members of a line, if they are there and of the right kind.
extension Value {
  func text(_ name: String) -> String? {
    if case .string(let text)? = self[name] { text } else { nil }
  }

  func number(_ name: String) -> Int? {
    switch self[name] {
    case .int(let number)?: number
    case .uint(let number)?: Int(bitPattern: number)
    default: nil
    }
  }

  func items(_ name: String) -> [Value] {
    if case .list(let items)? = self[name] { items } else { [] }
  }

  /// A duration in microseconds; zero if it is missing or below zero.
  func microseconds(_ name: String) -> Microseconds { Microseconds(max(0, number(name) ?? 0)) }

  /// A duration in milliseconds, in microseconds.
  func milliseconds(_ name: String) -> Microseconds? {
    switch self[name] {
    case .int(let number)? where abs(number) < 1 << 50: Microseconds(number) * 1_000
    case .double(let number)? where abs(number) < 1e15: Microseconds((number * 1_000).rounded())
    default: nil
    }
  }
}
