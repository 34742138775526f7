/// Returns the tokens in texts whose keys and values do not stand side by side: fields of HTML,
/// parts of forms, and tables.
func tokensInMarkup(_ text: [UInt8]) -> [FoundToken] {
  var found: [FoundToken] = []
  if text.contains(UInt8(ascii: "<")) { found += tokensInTags(text) }
  if text.contains(0x0A) { found += tokensInParts(text) + tokensInColumns(text) }
  return found
}

/// The tokens of `<input name="csrf_token" value="…">` and `<meta name="csrf-token" content="…">`.
private func tokensInTags(_ text: [UInt8]) -> [FoundToken] {
  text.split(separator: UInt8(ascii: "<")).dropFirst(text.first == UInt8(ascii: "<") ? 0 : 1)
    .compactMap { tag in
      let attributes = attributes(in: tag.prefix { $0 != UInt8(ascii: ">") })
      let names = ["name", "id", "property", "itemprop"].compactMap { attributes[$0] }
      guard let name = names.first(where: { CredentialKey($0) != nil }),
        let value = attributes["value"] ?? attributes["content"],
        CredentialKey(name) == .secret || looksIssued(value)
      else { return nil }
      return (value, name.lowercased())
    }
}

/// Returns the attributes of a tag, as they stand in its text.
private func attributes(in tag: ArraySlice<UInt8>) -> [String: String] {
  var attributes: [String: String] = [:]
  var rest = tag
  while let sign = rest.firstIndex(of: UInt8(ascii: "=")) {
    let name = rest[..<sign].reversed().prefix { $0 > 0x20 }.reversed()
    rest = rest[(sign + 1)...].drop { $0 == UInt8(ascii: "\\") }
    let quote = rest.first.flatMap { "\"'".utf8.contains($0) ? $0 : nil }
    if quote != nil { rest = rest.dropFirst() }
    let value = rest.prefix { quote == nil ? $0 > 0x20 : $0 != quote }
    rest = rest[value.endIndex...]
    // In a text of JSON, quotes have a sign before them.
    let end = value.last == UInt8(ascii: "\\") ? value.dropLast() : value
    attributes[String(decoding: name, as: UTF8.self).lowercased()] =
      String(decoding: end, as: UTF8.self)
  }
  return attributes
}

/// The tokens in parts of a form: `Content-Disposition: form-data; name="token"`.
private func tokensInParts(_ text: [UInt8]) -> [FoundToken] {
  var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
  var found: [FoundToken] = []
  while let line = lines.popFirst() {
    guard line.prefix(20).elementsEqual("Content-Disposition:".utf8),
      let name = attributes(in: line)["name"], CredentialKey(name) != nil
    else { continue }
    lines = lines.drop { !isBlank($0) }.dropFirst()
    let value = Array(lines.prefix { !$0.starts(with: "--".utf8) }.joined(separator: [0x0A]))
    let whole = String(decoding: value, as: UTF8.self)
    let token = whole.hasSuffix("\r") ? String(whole.dropLast()) : whole
    if CredentialKey(name) == .secret || looksIssued(token) {
      found.append((token, name.lowercased()))
    }
  }
  return found
}

private func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
  line.isEmpty || line.elementsEqual([0x0D])
}

/// The tokens in the columns of a table whose first line has the name of a secret.
private func tokensInColumns(_ text: [UInt8]) -> [FoundToken] {
  let lines = text.split(separator: 0x0A)
  guard let head = lines.first, !head.contains(where: { "{<=:".utf8.contains($0) }),
    let separator = ",;\t".utf8.first(where: head.contains)
  else { return [] }
  let names = cells(of: head, separator)
  let columns = names.indices.filter { CredentialKey(names[$0]) == .secret }
  if columns.isEmpty { return [] }
  return lines.dropFirst().flatMap { line in
    let cells = cells(of: line, separator)
    return columns.filter(cells.indices.contains).map { (cells[$0], names[$0].lowercased()) }
  }
}

/// Returns the cells of a line, without their quotes. A separator in quotes separates nothing.
private func cells(of line: ArraySlice<UInt8>, _ separator: UInt8) -> [String] {
  var cells: [[UInt8]] = [[]]
  var isQuoted = false
  for byte in line where byte != 0x0D {
    if byte == UInt8(ascii: "\"") {
      isQuoted.toggle()
    } else if byte == separator, !isQuoted {
      cells.append([])
    } else {
      cells[cells.count - 1].append(byte)
    }
  }
  return cells.map { String(decoding: $0, as: UTF8.self) }
}

/// The name of the secret part of a link.
let linkStem = "link"

/// The words of a path behind which its secret stands: `/reset/…`.
private let wordsOfLinks: Set<String> = [
  "reset", "verify", "verification", "confirm", "confirmation", "activate", "activation", "invite",
  "invitation", "magic", "unsubscribe", "webhook", "webhooks", "hooks",
]
/// How far behind such a word the secret may stand.
private let mostSegmentsOfLinks = 4

/// The secret parts of links: `https://shop.example/reset/…`, `https://hooks.slack.com/services/…`.
func tokensInLinks(_ text: [UInt8]) -> [FoundToken] {
  guard text.contains(UInt8(ascii: "/")) else { return [] }
  return text.split(whereSeparator: { $0 <= 0x20 || "\"'<>()?#\\".utf8.contains($0) })
    .flatMap { link -> [FoundToken] in
      let segments = link.split(separator: UInt8(ascii: "/"))
      guard segments.count > 1 else { return [] }
      let first = segments.firstIndex { segment in
        segment.split { "-_.".utf8.contains($0) }.contains {
          wordsOfLinks.contains(String(decoding: $0, as: UTF8.self).lowercased())
        }
      }
      guard let first else { return [] }
      return segments.dropFirst(first + 1).prefix(mostSegmentsOfLinks).filter(looksIssued)
        .map { (String(decoding: $0, as: UTF8.self), linkStem) }
    }
}
