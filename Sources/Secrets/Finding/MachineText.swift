/// The fewest bytes of a text that is known to be a token by its look alone.
let shortestByLook = 16

/// Returns whether a text looks made by a machine: letters and digits change places often, as in no
/// name that a person has given.
func looksIssued(_ text: String) -> Bool { looksIssued(Array(text.utf8)[...]) }

func looksIssued(_ text: ArraySlice<UInt8>) -> Bool {
  guard text.count >= shortestByLook, !endsLikeFile(text) else { return false }
  var (letters, digits, changes) = (0, 0, 0)
  var last: TextClass?
  for (place, byte) in text.enumerated() {
    let kind = TextClass(byte)
    switch kind {
    case .lower, .upper: letters += 1
    case .digit: digits += 1
    // The codes of some services begin so: `4/0AX4…`.
    case .sign:
      // People divide words by signs, which says nothing.
      if byte == UInt8(ascii: "/"), place > 2 { return false }
      continue
    case .other: return false
    }
    if let last, last != kind { changes += 1 }
    last = kind
  }
  let share = changes * 100 / (text.count - 1)
  if letters >= 2, digits >= 2 { return share >= leastChanges }
  // A long one may have hardly a digit, and capitals in places where no name has them.
  return letters > 0 && text.count >= longWithoutDigits && share >= leastChangesOfLetters
}

private let longWithoutDigits = 24
private let leastChangesOfLetters = 40

/// The changes between kinds of characters, in percent of the places. Names have about 20, texts of
/// machines more than 40.
private let leastChanges = 27

private enum TextClass {
  case lower, upper, digit, sign, other

  init(_ byte: UInt8) {
    switch byte {
    case 0x61...0x7A: self = .lower
    case 0x41...0x5A: self = .upper
    case 0x30...0x39: self = .digit
    case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"),
      UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "%"):
      self = .sign
    default: self = .other
    }
  }
}

/// Returns whether a text ends as names of files do: `.png`.
private func endsLikeFile(_ text: ArraySlice<UInt8>) -> Bool {
  guard let dot = text.lastIndex(of: UInt8(ascii: ".")) else { return false }
  let ending = text[(dot + 1)...]
  return (2...4).contains(ending.count) && ending.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
}

/// The words by which a text about a password is known to be none.
private let wordsOfProse: Set<String> = [
  "is", "are", "be", "must", "should", "the", "not", "required", "invalid", "at", "than", "for",
  "your", "has", "was", "can", "may", "please",
]

/// Returns whether a text is a sentence, as services have them under the key of a field.
func isProse(_ words: [Substring]) -> Bool {
  words.count > 2 && words.contains { wordsOfProse.contains($0.lowercased()) }
}
