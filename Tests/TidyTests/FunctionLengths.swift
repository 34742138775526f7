/// A function or initialiser with a body, and its number of lines from the first word to the
/// closing brace.
struct FunctionLength: Equatable {
  var line: Int
  var length: Int
}

/// Returns all functions of a text, found by counting brackets in its code. Byte by byte, since a
/// debug build takes ten times as long by characters.
func functionLengths(in text: SwiftText) -> [FunctionLength] {
  let letters = Array((text.code.joined(separator: "\n") + "\n").utf8)
  return letters.withUnsafeBufferPointer { letters in
    var found: [FunctionLength] = []
    var line = 0
    var start = 0
    for at in 0..<letters.count where !isOfWord(letters[at]) {
      if beginsFunction(letters, start, at), let length = linesOfBody(letters, from: at) {
        found.append(FunctionLength(line: line, length: length))
      }
      start = at + 1
      if letters[at] == newline { line += 1 }
    }
    return found
  }
}

private let newline = UInt8(ascii: "\n")
private let (opening, closing) = (UInt8(ascii: "("), UInt8(ascii: ")"))
private let (openingBracket, closingBracket) = (UInt8(ascii: "["), UInt8(ascii: "]"))
private let (openingBrace, closingBrace) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
private let wordsBeforeBodies: [[UInt8]] = ["func", "init", "deinit", "subscript"].map {
  Array($0.utf8)
}

private func isOfWord(_ letter: UInt8) -> Bool {
  (letter >= 0x61 && letter <= 0x7A) || (letter >= 0x41 && letter <= 0x5A)
    || (letter >= 0x30 && letter <= 0x39) || letter >= 0x80 || letter == 0x5F || letter == 0x2E
    || letter == 0x23
}

private func beginsFunction(
  _ letters: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
) -> Bool {
  // Most words are none of these by their length.
  let count = end - start
  if count != 4 && count != 6 && count != 9 { return false }
  return wordsBeforeBodies.contains { letters[start..<end].elementsEqual($0) }
}

/// Returns the lines up to the closing brace of the body that follows; nil if a declaration has no
/// body, as in a protocol.
private func linesOfBody(_ letters: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
  var (lines, brackets, braces) = (1, 0, 0)
  for at in start..<letters.count {
    let letter = letters[at]
    if letter == opening || letter == openingBracket {
      brackets += 1
    } else if letter == closing || letter == closingBracket {
      brackets -= 1
    } else if letter == newline {
      if braces == 0, brackets == 0, !goesOn(letters[at...]) { return nil }
      lines += 1
    } else if brackets == 0, letter == openingBrace {
      braces += 1
    } else if brackets == 0, letter == closingBrace {
      braces -= 1
      if braces <= 0 { return braces == 0 ? lines : nil }
    }
  }
  return nil
}

/// Returns whether a declaration continues after a line break.
private func goesOn(_ letters: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
  let rest = letters.drop { " \t\n".utf8.contains($0) }
  return ["{", "->", "throws", "rethrows", "async", "where", "("].contains {
    rest.starts(with: $0.utf8)
  }
}

/// Returns the median of lengths; of an even number the upper of the two middle ones.
func median(_ lengths: [Int]) -> Int {
  lengths.isEmpty ? 0 : lengths.sorted()[lengths.count / 2]
}
