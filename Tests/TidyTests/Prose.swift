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

extension SwiftText {
  /// The words of the doc comments on what is public.
  var publicProse: [ProseWord] {
    docComments.filter(\.isPublic).flatMap { comment in
      comment.lines.flatMap { proseWords(of: lines[$0], line: $0) }
        + [ProseWord(text: "", line: comment.lines.lowerBound)]
    }
  }

  /// The lines of doc comments that begin with `What` in place of a noun.
  var headlessComments: [Int] {
    docComments.map(\.lines.lowerBound).filter {
      lines[$0].drop { $0 == " " }.hasPrefix("/// What ")
    }
  }

  /// The doc comments, and whether the declaration behind each is public.
  private var docComments: [(lines: Range<Int>, isPublic: Bool)] {
    var comments: [(lines: Range<Int>, isPublic: Bool)] = []
    var start: Int?
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("///") {
        start = start ?? number
      } else if let first = start, !text.hasPrefix("@") || text.contains("public ") {
        let isPublic = text.contains("public ") || text.hasPrefix("open ")
        comments.append((first..<number, isPublic))
        start = nil
      }
    }
    return comments
  }
}

/// Returns the words of a page.
func proseWords(ofPage text: String) -> [ProseWord] {
  splitLines(text).enumerated().flatMap { proseWords(of: $1, line: $0) }
}

private func proseWords(of text: String, line: Int) -> [ProseWord] {
  // A sign that ends a part of a sentence is a word of its own, which no phrase contains.
  let parts = text.map { ".,;:".contains($0) ? " \u{0} " : String($0) }.joined()
  return parts.split { !$0.isLetter && !$0.isNumber && $0 != "\u{0}" }.map {
    ProseWord(text: $0.contains("\u{0}") ? "" : $0.lowercased(), line: line)
  }
}

/// A phrase that is not written, and the line it begins in.
struct BannedPhrase: Equatable {
  var phrase: String
  var line: Int
}

private let banned: [[String]] = phrases([
  "told", "tells", "whoever", "anew", "thereupon", "in vain", "hopeless", "comes of it", "came of",
  "counts as nothing", "as it goes", "blanks do not count", "door", "doors", "goes before",
  "at the wall", "on the wall", "nothing of", "an only parameter", "now so and now so",
])

/// Phrases whose noun is too far away, for pages and for comments on what is public.
private let unclear: [[String]] = phrases([
  "that of", "those of", "is none", "are none", "has none", "have none", "does so", "do so",
  "so many", "so far", "comes of", "taken for", "as it comes", "stands", "stand",
])

private func phrases(_ texts: [String]) -> [[String]] {
  texts.map { $0.split(separator: " ").map { String($0) } }
}

/// A word that is right in a line, since it is part of an id, a title or an idiom.
private let permitted: [(word: String, text: String)] = [
  ("hopeless", "\"hopeless\""), ("hopeless", "`hopeless`"),
  ("tells", "A counter tells its parity"), ("stands", "stands for"), ("stand", "stand for"),
  ("stand", "stand-in"),
]

/// Returns whether a phrase is an id or a title in a line.
func isPermitted(_ phrase: String, in line: String) -> Bool {
  permitted.contains { $0.word == phrase && line.contains($0.text) }
}

/// Returns the banned phrases among words, in their order.
func bannedPhrases(in words: [ProseWord]) -> [BannedPhrase] { find(banned, in: words) }

/// Returns the phrases among words whose noun is too far away, in their order.
func unclearPhrases(in words: [ProseWord]) -> [BannedPhrase] { find(unclear, in: words) }

private func find(_ banned: [[String]], in words: [ProseWord]) -> [BannedPhrase] {
  let firsts = Set(banned.map { $0[0] })
  return words.indices.filter { firsts.contains(words[$0].text) }.flatMap { start in
    banned.filter { phrase in words[start...].starts(with: phrase) { $0.text == $1 } }
      .map { BannedPhrase(phrase: $0.joined(separator: " "), line: words[start].line) }
  }
}
