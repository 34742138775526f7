import TextSearch
import Traces
import Values

/// A record of a log that another program wrote, and the line of the file that it stands in.
package struct LogRecord: Sendable {
  package var value: Value
  package var place: TracePlace
}

/// The mark that some programs write before a text.
private let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

/// Reads a log record by record: lines of JSON or of text, an HTTP Archive, or logs and spans of
/// OpenTelemetry.
///
/// Returns false as soon as a line bundles records: what does so has no order of its own.
func visitRecords(
  of log: TraceBytes, acceptingBundles: Bool, _ visit: (LogRecord) -> Void
) -> Result<Bool, FileProblem> {
  let start = TracePlace(line: 1, column: 1, offset: 0)
  var offset = log.bytes(0..<3).elementsEqual(byteOrderMark) ? 3 : 0
  if log.isDocument(from: offset),
    case .success(let json) = parseJSON(log.bytes(offset..<log.count))
  {
    if !acceptingBundles { return .success(false) }
    for record in records(in: json) { visit(LogRecord(value: record, place: start)) }
    return .success(true)
  }
  var line = 0
  while offset < log.count {
    line += 1
    var end = TraceBytes.LineEnd.nothing
    let place = TracePlace(line: line, column: 1, offset: offset)
    let read = log.withLine(at: offset) { bytes, found in
      end = found
      offset += bytes.count + 1
      return end == .more ? [] : logRecords(inLine: bytes)
    }
    if end == .more { return .failure(.lineTooLong(line)) }
    if read.count > 1, !acceptingBundles { return .success(false) }
    for value in read { visit(LogRecord(value: value, place: place)) }
  }
  return .success(true)
}

extension FileProblem {
  fileprivate static func lineTooLong(_ line: Int) -> FileProblem {
    FileProblem(
      message: "its line \(line) has more than \(TraceLimit.lineBytes >> 20) MiB, the limit for one"
    )
  }
}

/// Returns the records in one line.
func logRecords(inLine line: UnsafeBufferPointer<UInt8>) -> [Value] {
  if line.allSatisfy({ $0 <= 0x20 }) { return [] }
  guard case .success(let json) = parseJSON(line), case .map = json else {
    let text = String(decoding: line, as: UTF8.self)
    return [.string(text.hasSuffix("\r") ? String(text.dropLast()) : text)]
  }
  return records(in: json)
}

extension TraceBytes {
  /// Returns whether a file is one JSON value in several lines, or a list in one. What is larger
  /// than a line may be is a log of lines.
  fileprivate func isDocument(from start: Int) -> Bool {
    let head = bytes(start..<start + TraceBytes.mostBlankBytes)
    guard count <= TraceLimit.lineBytes, let first = head.firstIndex(where: { $0 > 0x20 }) else {
      return false
    }
    if head[first] == UInt8(ascii: "[") { return true }
    guard head[first] == UInt8(ascii: "{") else { return false }
    return withLine(at: start + first) { line, _ in
      if case .success = parseJSON(line) { false } else { true }
    }
  }

  private static let mostBlankBytes = 4096
}

private func records(in json: Value) -> [Value] {
  if case .list(let elements) = json { return elements }
  if case .list(let entries)? = json["log"]?["entries"] { return entries }
  let found =
    telemetry(json, "resourceLogs", "scopeLogs", "logRecords")
    + telemetry(json, "resourceSpans", "scopeSpans", "spans")
  return found.isEmpty ? [json] : found
}

// OpenTelemetry, as JSON of its protocol has it.

private func telemetry(
  _ json: Value, _ resources: String, _ scopes: String, _ records: String
) -> [Value] {
  elements(json[resources]).flatMap { resource in
    let attributes = plainAttributes(resource["resource"]?["attributes"])
    return elements(resource[scopes]).flatMap { scope in
      elements(scope[records]).map { record in
        plain(record, resource: attributes, scope: scope["scope"]?["name"] ?? .null)
      }
    }
  }
}

/// Returns a record whose attributes are a map, with those of its resource.
private func plain(_ record: Value, resource: Value, scope: Value) -> Value {
  guard case .map(var map) = record else { return record }
  map["attributes"] = plainAttributes(map["attributes"])
  if let body = map["body"] { map["body"] = plainValue(body) }
  if case .list(let events)? = map["events"] {
    map["events"] = .list(events.map { plain($0, resource: .null, scope: .null) })
  }
  if resource != .null { map["resource"] = resource }
  if scope != .null { map["scope"] = scope }
  return .map(map)
}

private func elements(_ value: Value?) -> [Value] {
  if case .list(let elements)? = value { elements } else { [] }
}

private func plainAttributes(_ value: Value?) -> Value {
  var map = ValueMap()
  for entry in elements(value) {
    if case .string(let key)? = entry["key"] { map[key] = plainValue(entry["value"] ?? .null) }
  }
  return .map(map)
}

private func plainValue(_ value: Value) -> Value {
  guard case .map(let map) = value, map.count == 1, let entry = map.first else { return value }
  switch entry.key.plainText {
  case "stringValue", "boolValue", "doubleValue", "bytesValue": return entry.value
  // The protocol writes integers of 64 bits as texts.
  case "intValue": return Int(entry.value.plainText).map { .int($0) } ?? entry.value
  case "arrayValue": return .list(elements(entry.value["values"]).map(plainValue))
  case "kvlistValue": return plainAttributes(entry.value["values"])
  default: return value
  }
}

// Times.

/// The members in which logs have their times, the first one that is there.
private let timeMembers = [
  "time", "timestamp", "@timestamp", "ts", "t", "datetime", "asctime", "date", "startedDateTime",
  "timeUnixNano", "observedTimeUnixNano", "endTimeUnixNano",
]

/// Returns the time of a record whose source does not say where it is.
func usualTime(of record: Value) -> Timestamp? {
  if case .string(let text) = record { return timeOfText(text) }
  return timeMembers.lazy.compactMap { record[$0] }.filter { $0 != "0" && $0 != 0 }
    .compactMap { Timestamp(logged: $0) }.first
}

/// The bytes at the beginning of a line of text in which its time is looked for.
private let mostBytesBeforeTime = 256

/// Returns the first time in a line of text: a date with a time, or a number that begins the line.
private func timeOfText(_ text: String) -> Timestamp? {
  let head = Array(text.utf8.prefix(mostBytesBeforeTime))
  for place in head.indices where isDigit(head[place]) {
    if place > 0, isDigit(head[place - 1]) || isLetter(head[place - 1]) { continue }
    // A time has at most three words: a date, a time and a zone.
    let words = head[place...].prefix { !"]\"|\t\r".utf8.contains($0) }
      .split(separator: UInt8(ascii: " "), maxSplits: 3).prefix(3)
    for count in (1...max(1, words.count)).reversed() {
      let spelled = words.prefix(count).joined(separator: " ".utf8)
      let bytes = Array(spelled.reversed().drop { !isDigit($0) && !isLetter($0) }.reversed())
      let isNumber = bytes.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") }
      if isNumber, place > 0 || bytes.count < shortestTimeInNumbers { continue }
      if let time = Timestamp(logged: .string(String(decoding: bytes, as: UTF8.self))) {
        return time
      }
    }
  }
  return nil
}

/// The fewest digits of a time that is a number, in a line of text: seconds have ten.
private let shortestTimeInNumbers = 10

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
