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

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      // The last line of a run that was killed may be half a line.
      let isCutOff = index == lines.count - 1
      guard case .success(let value) = parseJSON(line), take(value) || isCutOff else {
        if !isCutOff { problems.append(.badPart(path, line: index + 1)) }
        break
      }
    }
    if began == .null, problems.isEmpty {
      problems.append(.badPart(path, line: 1))
    } else if ended == nil, problems.isEmpty {
      problems.append(.cutPart(path))
    }
  }

  /// Takes a line; false if it is none of a report.
  private mutating func take(_ line: Value) -> Bool {
    guard let event = line.text("event") else { return false }
    if event == "began" {
      began = line
      return line.number("version") == reportEventsVersion
    }
    guard began != .null else { return false }
    switch event {
    case "file" where line.text("path") != nil: files.append(line)
    case "scenario" where line.text("path") != nil && line.text("outcome") != nil:
      scenarios.append(line)
    case "ended": ended = line
    // Later versions may add events of other names.
    default: return !ReportEvent.names.contains(event)
    }
    return true
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
