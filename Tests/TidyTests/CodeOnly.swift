/// Returns a Swift text with comments, texts and quoted names replaced by spaces. Each line keeps
/// its length. Code interpolated into a text is treated as text.
func codeOnly(_ text: String) -> String {
  var blanker = Blanker(text)
  while blanker.step() {}
  return blanker.code
}

/// A walk over a Swift text that knows what surrounds the current character.
private struct Blanker {
  private enum Place {
    case code
    case lineComment
    case blockComment(depth: Int)
    case quotedName
    case text(Quote)
    /// Inside `\(…)` of a text.
    case interpolation(Quote, depth: Int)
  }

  private struct Quote {
    var hashes: Int
    var isLong: Bool
    var end: [Character] {
      Array(String(repeating: "\"", count: isLong ? 3 : 1) + String(repeating: "#", count: hashes))
    }
    var interpolation: [Character] { Array("\\" + String(repeating: "#", count: hashes) + "(") }
    var escape: [Character] { Array("\\" + String(repeating: "#", count: hashes)) }
  }

  private let letters: [Character]
  private var at = 0
  private var places: [Place] = [.code]
  private(set) var code = ""

  init(_ text: String) { letters = Array(text) }

  mutating func step() -> Bool {
    guard at < letters.count, let place = places.last else { return false }
    switch place {
    case .code: stepInCode()
    case .lineComment: if letters[at] == "\n" { leave(0) } else { blank(1) }
    case .blockComment(let depth): stepInComment(depth)
    case .quotedName: if letters[at] == "`" { leave(1) } else { blank(1) }
    case .text(let quote): stepInText(quote)
    case .interpolation(let quote, let depth): stepInInterpolation(quote, depth)
    }
    return true
  }

  private mutating func stepInCode() {
    if !enterAnything() {
      code.append(letters[at])
      at += 1
    }
  }

  /// Enters a comment, a text or a quoted name that begins here.
  private mutating func enterAnything() -> Bool {
    guard ["/", "`", "\"", "#"].contains(letters[at]) else { return false }
    if sees(Array("//")) {
      enter(.lineComment, 2)
    } else if sees(Array("/*")) {
      enter(.blockComment(depth: 1), 2)
    } else if sees(["`"]) {
      enter(.quotedName, 1)
    } else if let quote = quoteHere() {
      enter(.text(quote), quote.end.count)
    } else {
      return false
    }
    return true
  }

  private func quoteHere() -> Quote? {
    let hashes = letters[at...].prefix { $0 == "#" }.count
    let quotes = letters[(at + hashes)...].prefix(3).prefix { $0 == "\"" }.count
    return quotes == 0 ? nil : Quote(hashes: hashes, isLong: quotes == 3)
  }

  private mutating func stepInComment(_ depth: Int) {
    if sees(Array("/*")) {
      replace(.blockComment(depth: depth + 1), 2)
    } else if sees(Array("*/")) {
      if depth == 1 { leave(2) } else { replace(.blockComment(depth: depth - 1), 2) }
    } else {
      blank(1)
    }
  }

  private mutating func stepInText(_ quote: Quote) {
    if letters[at] != "\"", letters[at] != "\\" {
      blank(1)
    } else if sees(quote.end) {
      leave(quote.end.count)
    } else if sees(quote.interpolation) {
      enter(.interpolation(quote, depth: 1), quote.interpolation.count)
    } else if sees(quote.escape) {
      blank(quote.escape.count + 1)
    } else {
      blank(1)
    }
  }

  private mutating func stepInInterpolation(_ quote: Quote, _ depth: Int) {
    switch letters[at] {
    case "(": replace(.interpolation(quote, depth: depth + 1), 1)
    case ")" where depth == 1: leave(1)
    case ")": replace(.interpolation(quote, depth: depth - 1), 1)
    default: if !enterAnything() { blank(1) }
    }
  }

  private func sees(_ wanted: [Character]) -> Bool { letters[at...].starts(with: wanted) }

  private mutating func blank(_ count: Int) {
    let end = min(at + count, letters.count)
    while at < end {
      code.append(letters[at] == "\n" ? "\n" : " ")
      at += 1
    }
  }

  private mutating func enter(_ place: Place, _ count: Int) {
    places.append(place)
    blank(count)
  }

  private mutating func leave(_ count: Int) {
    places.removeLast()
    blank(count)
  }

  private mutating func replace(_ place: Place, _ count: Int) {
    places.removeLast()
    enter(place, count)
  }
}
