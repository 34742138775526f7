import Values

/// The beginnings of tokens that services issue.
private let tokenBeginnings: [[UInt8]] = [
  "eyJ", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "glptt-", "sk-",
  "sk_live_", "sk_test_", "rk_live_", "pk_live_", "whsec_", "xoxb-", "xoxp-", "xoxa-", "xapp-",
  "AKIA", "ASIA", "ya29.", "AIza", "npm_", "pypi-", "hf_", "hvs.", "dop_v1_", "shpat_", "SG.",
  "EAAC", "sq0atp-", "sq0csp-", "lin_api_", "ATATT", "AGE-SECRET-KEY-",
].map { Array($0.utf8) }

/// Returns the tokens in a text: those behind a key, as in forms, JSON, cookies and XML, in fields
/// of HTML, in parts of forms, in columns and in links, and those of a known shape.
func tokens(in text: [UInt8]) -> [FoundToken] {
  var scanner = TokenScanner(text)
  scanner.scan()
  return scanner.found + tokensInMarkup(text) + tokensInLinks(text)
}

/// Returns whether a word that may go on is a token: it has the beginning of one, and what follows
/// it is no word of a language.
func isPieceOfToken(_ word: [UInt8]) -> Bool {
  guard word.count >= CredentialFinder.shortest,
    let beginning = tokenBeginnings.first(where: { word.starts(with: $0) })
  else { return false }
  let rest = word.dropFirst(beginning.count)
  return word.count >= shortestByLook || rest.contains { isDigit($0) || (0x41...0x5A).contains($0) }
}

/// A token in a text, and the name that its key gives it.
typealias FoundToken = (text: String, name: String)

private struct TokenScanner {
  private let bytes: [UInt8]
  /// True for a text of pairs without blanks, where all behind a key is its value.
  private let isForm: Bool
  private(set) var found: [FoundToken] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isForm =
      bytes.contains(UInt8(ascii: "="))
      && !bytes.contains { $0 <= 0x20 || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "<") }
  }

  mutating func scan() {
    var place = 0
    while place < bytes.count {
      let end = endOfRun(from: place, isWordByte)
      guard end > place else {
        place += 1
        continue
      }
      takeWord(place..<end)
      place = end
    }
    takeCredentialsOfURLs()
    takePrivateKeys()
  }

  private mutating func takeWord(_ word: Range<Int>) {
    if let key = CredentialKey(bytes[word]) { take(behind: word, key) }
    if bytes[word].elementsEqual("Bearer".utf8) || bytes[word].elementsEqual("Basic".utf8) {
      take(nextWordBehind: word, named: "token")
    }
    takeShape(word.lowerBound)
  }

  /// Takes the value behind a key.
  private mutating func take(behind word: Range<Int>, _ key: CredentialKey) {
    let name = String(decoding: bytes[word], as: UTF8.self).lowercased()
    guard let start = valueStart(behind: word.upperBound) else {
      // A sentence: `token Zk7x93abQw45Rt81 has expired`.
      if key == .secret { take(nextWordBehind: word, named: name) }
      return
    }
    let value = start..<endOfRun(from: start, isValueByte)
    switch key {
    // In a text of words, a token is no word itself.
    case .secret, .words: if isForm || isRandom(bytes[value]) { add(value, name) }
    case .code:
      if bytes[value].allSatisfy(isDigit) {
        add(value, name, shortest: CredentialFinder.shortestCode)
      }
    case .doubtful: if looksIssued(bytes[value]) { add(value, name) }
    }
  }

  /// Takes the word behind a word and a blank if it looks like a token.
  private mutating func take(nextWordBehind word: Range<Int>, named name: String) {
    guard word.upperBound < bytes.count, bytes[word.upperBound] == 0x20 else { return }
    let start = endOfRun(from: word.upperBound + 1, isQuote)
    let next = start..<endOfRun(from: start, isValueByte)
    let isCode = bytes[word].first == UInt8(ascii: "B")
    if next.count >= shortestByLook, isCode ? isRandom(bytes[next]) : looksIssued(bytes[next]) {
      add(next, name)
    }
  }

  private mutating func takeShape(_ start: Int) {
    guard start == 0 || !isShapeByte(bytes[start - 1]) else { return }
    let rest = bytes[start...]
    guard let beginning = tokenBeginnings.first(where: { rest.starts(with: $0) }) else { return }
    var end = endOfRun(from: start, isShapeByte)
    // The dot that ends a sentence.
    while bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
    let isJWT = beginning.elementsEqual("eyJ".utf8)
    if isJWT, !bytes[start..<end].contains(UInt8(ascii: ".")) { return }
    add(start..<end, isJWT ? "jwt" : "token", shortest: shortestByLook)
  }

  /// Takes the passwords of `https://user:password@host`.
  private mutating func takeCredentialsOfURLs() {
    let mark = Array("://".utf8)
    for place in bytes.indices where bytes[place...].starts(with: mark) {
      let start = place + mark.count
      let end = endOfRun(from: start) { $0 > 0x20 && !"/?#\"'<>".utf8.contains($0) }
      guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")),
        let colon = bytes[start..<at].firstIndex(of: UInt8(ascii: ":"))
      else { continue }
      add(colon + 1..<at, "password")
    }
  }

  /// Takes what stands between the first and the last line of a private key.
  private mutating func takePrivateKeys() {
    let (begin, kind, end) = (
      Array("-----BEGIN ".utf8), Array("PRIVATE KEY-----".utf8), Array("-----END ".utf8)
    )
    guard let first = place(of: begin, from: 0), let head = place(of: kind, from: first) else {
      return
    }
    let start = head + kind.count
    let stop = place(of: end, from: start) ?? bytes.count
    var body = bytes[start..<stop]
    while let byte = body.first, byte <= 0x20 { body.removeFirst() }
    while let byte = body.last, byte <= 0x20 { body.removeLast() }
    add(body.startIndex..<body.endIndex, "private_key")
  }

  private func place(of part: [UInt8], from start: Int) -> Int? {
    guard start + part.count <= bytes.count else { return nil }
    return (start...(bytes.count - part.count)).first { bytes[$0...].starts(with: part) }
  }

  private mutating func add(
    _ range: Range<Int>, _ name: String, shortest: Int = CredentialFinder.shortest
  ) {
    guard range.count >= shortest else { return }
    found.append((String(decoding: bytes[range], as: UTF8.self), name))
  }

  /// Returns where the value begins whose key ends at a place: `key=`, `"key": "`, `<key>`.
  private func valueStart(behind end: Int) -> Int? {
    var place = endOfRun(from: end) { isQuote($0) || $0 == 0x20 }
    guard place < bytes.count, "=:>".utf8.contains(bytes[place]) else { return nil }
    place = endOfRun(from: place + 1) { isQuote($0) || $0 == 0x20 }
    for scheme in ["Bearer ", "Basic ", "Token "] where bytes[place...].starts(with: scheme.utf8) {
      return place + scheme.utf8.count
    }
    return place
  }

  private func endOfRun(from start: Int, _ isPart: (UInt8) -> Bool) -> Int {
    var end = start
    while end < bytes.count, isPart(bytes[end]) { end += 1 }
    return end
  }
}

private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
private func isQuote(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 || byte == 0x5C }

private func isWordByte(_ byte: UInt8) -> Bool {
  isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
}

func isShapeByte(_ byte: UInt8) -> Bool { isWordByte(byte) || byte == UInt8(ascii: ".") }

private func isValueByte(_ byte: UInt8) -> Bool {
  byte > 0x20 && byte < 0x7F && !"\"'\\&;<>,()[]{}#".utf8.contains(byte)
}

/// Returns whether a word looks made by a machine: it has letters and digits, or is very long.
private func isRandom(_ word: ArraySlice<UInt8>) -> Bool {
  word.count >= 24 || (word.contains(where: isLetter) && word.contains(where: isDigit))
}
