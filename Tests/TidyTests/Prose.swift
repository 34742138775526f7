/// A word of a comment, a text or a page, in small letters.
struct ProseWord: Equatable {
  var text: String
  /// Counted from 0.
  var line: Int
}

extension SwiftText {
  /// The words of comments, texts and quoted names. An empty word separates what does not belong
  /// together, so that no phrase begins in one and ends in another.
  var prose: [ProseWord] {
    var words: [ProseWord] = []
    for (line, (written, code)) in zip(lines, self.code).enumerated() {
      let blanked = zip(written, code).map { $1 == " " ? $0 : "\u{0}" }
      words += proseWords(of: String(blanked), line: line)
      // A comment goes on in the next line, a line of code does not.
      if code.contains(where: { $0 != " " }) { words.append(ProseWord(text: "", line: line)) }
    }
    return words
  }

  /// The words of comments and quoted names alone: the texts of tests are data.
  var commentProse: [ProseWord] {
    lines.enumerated().flatMap { line, written in
      let text = written.drop { $0 == " " }
      let isProse = text.hasPrefix("//") || text.contains("func `")
      return isProse ? proseWords(of: String(text), line: line) : []
    }
  }
}

/// Returns the words of a page.
func proseWords(ofPage text: String) -> [ProseWord] {
  splitLines(text).enumerated().flatMap { proseWords(of: $1, line: $0) }
}

private func proseWords(of text: String, line: Int) -> [ProseWord] {
  text.split { !$0.isLetter && !$0.isNumber && $0 != "\u{0}" }.map {
    ProseWord(text: $0.contains("\u{0}") ? "" : $0.lowercased(), line: line)
  }
}

/// A phrase that is not written, and the line it begins in.
struct BannedPhrase: Equatable {
  var phrase: String
  var line: Int
}

private let banned: [[String]] = [
  "told", "tells", "whoever", "anew", "thereupon", "in vain", "hopeless", "comes of it", "came of",
  "counts as nothing", "as it goes", "blanks do not count", "door", "doors", "goes before",
  "at the wall", "on the wall", "nothing of",
].map { $0.split(separator: " ").map { String($0) } }

/// A word that is right in a line, since it is part of an id or a title.
private let permitted: [(word: String, text: String)] = [
  ("hopeless", "\"hopeless\""), ("hopeless", "`hopeless`"),
  ("tells", "A counter tells its parity"),
]

/// Returns whether a phrase is an id or a title in a line.
func isPermitted(_ phrase: String, in line: String) -> Bool {
  permitted.contains { $0.word == phrase && line.contains($0.text) }
}

/// Returns the banned phrases among words, in their order.
func bannedPhrases(in words: [ProseWord]) -> [BannedPhrase] {
  let firsts = Set(banned.map { $0[0] })
  return words.indices.filter { firsts.contains(words[$0].text) }.flatMap { start in
    banned.filter { phrase in words[start...].starts(with: phrase) { $0.text == $1 } }
      .map { BannedPhrase(phrase: $0.joined(separator: " "), line: words[start].line) }
  }
}
