import TextSearch
import Values
import YAMLSyntax

extension DocumentReader {
  /// Reads what traces hold.
  func readTraces(_ fields: MappingReader) -> TracesSpec {
    var traces = TracesSpec()
    guard let entry = fields[.traces],
      let parts = open(entry.value, LanguageTable.traces, ValueSubject.key(.traces).text)
    else { return traces }
    traces.keep = readParts(parts, .keep)
    traces.hide = readParts(parts, .hide)
    traces.match = readParts(parts, .match)
    traces.ignore = readParts(parts, .ignore)
    return traces
  }

  private func readParts(_ fields: MappingReader, _ key: Key) -> [Located<ValuePart>]? {
    guard fields.has(key) else { return nil }
    return fields.texts(key).compactMap { text in
      guard let part = messagePart(text.value, ofRequest: key == .match) else {
        let members = key == .match ? membersOfRequests : membersOfMessages
        report(.notAMessagePart(text.value, members, at: text.range))
        return nil
      }
      return Located(part, text.range)
    }
  }
}

/// The members of messages with which a way into one begins.
private let membersOfRequests = ["method", "path", "query", "headers", "body"]
private let membersOfMessages = membersOfRequests + ["status", "data", "value"]

/// Reads a way into a message; nil if it leads nowhere. A word alone is a header.
private func messagePart(_ text: String, ofRequest: Bool) -> ValuePart? {
  let keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  guard let first = keys.first, !keys.contains("") else { return nil }
  let known = ofRequest ? membersOfRequests : membersOfMessages
  if keys.count == 1 {
    return known.contains(first) ? ValuePart(keys) : ValuePart(["headers", first.lowercasedASCII])
  }
  guard known.contains(first) else { return nil }
  return ValuePart(first == "headers" ? [first] + keys.dropFirst().map(\.lowercasedASCII) : keys)
}
