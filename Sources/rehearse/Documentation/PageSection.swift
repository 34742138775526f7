import TextSearch

/// A part of a page: from one heading to the next.
struct PageSection {
  var topic: DocumentationTopic
  /// The words of the heading, without marks.
  var heading: String
  /// The Markdown, with the heading.
  var text: String

  /// The heading in an address.
  var anchor: String { headingAnchor(of: heading) }

  /// The sections of a page, in its order.
  static func all(of topic: DocumentationTopic) -> [PageSection] {
    var sections: [PageSection] = []
    var isCode = false
    for line in (topic.text ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isCode.toggle() }
      if line.hasPrefix("#"), !isCode {
        let heading = line.drop { $0 == "#" || $0 == " " }.filter { $0 != "`" && $0 != "*" }
        sections.append(PageSection(topic: topic, heading: heading, text: ""))
      }
      if !sections.isEmpty { sections[sections.count - 1].text += line + "\n" }
    }
    return sections
  }
}

/// Returns a heading as an address has it: `the-same-end` for “The same end”.
func headingAnchor(of heading: String) -> String {
  let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || "_- ".contains($0) }
  return String(kept.map { $0 == " " ? "-" : $0 })
}

/// The number of sections that a search shows.
private let mostSections = 12

/// Returns a list of the sections that have all these words, the best first; nil if there is none.
///
/// A word is found at the beginning of words: `upload` finds `uploads`, and the other way round.
func foundSections(of words: [String]) -> String? {
  let wanted = words.flatMap { $0.lowercased().split(separator: " ").map(stem) }
  let rated = DocumentationTopic.all.flatMap(PageSection.all).compactMap { section in
    section.rating(for: wanted).map { (section: section, rating: $0) }
  }
  guard !rated.isEmpty else { return nil }
  let best = rated.enumerated()
    .sorted { ($1.element.rating, $0.offset) < ($0.element.rating, $1.offset) }
    .prefix(mostSections)
  let lines = best.map { $0.element.section.listing(of: wanted) }
  let left = rated.count - best.count
  return lines.joined() + (left > 0 ? "and \(left) more: add a word to find fewer\n" : "")
}

/// Returns what a word has in common with its other forms.
private func stem(_ word: some StringProtocol) -> String {
  String(word.count > 4 && word.hasSuffix("s") ? word.dropLast() : word[...])
}

extension PageSection {
  /// Returns a number that grows with the likeness to the words; nil if one of them is missing.
  ///
  /// A word of the heading counts more than one of the title, and that more than any number in the
  /// text.
  fileprivate func rating(for words: [String]) -> Int? {
    let (heading, title, text) = (heading.lowercased(), topic.title.lowercased(), text.lowercased())
    var sum = 0
    for word in words {
      let inHeading = occurrences(of: word, in: heading) > 0
      let inTitle = occurrences(of: word, in: title) > 0
      let inText = occurrences(of: word, in: text)
      if !inTitle, inText == 0 { return nil }
      sum += (inHeading ? 30 : 0) + (heading == word ? 20 : 0) + (inTitle ? 10 : 0) + min(inText, 8)
    }
    return sum
  }

  /// Returns how one comes to this section, and its first line with one of the words.
  fileprivate func listing(of words: [String]) -> String {
    let isPage = text.hasPrefix("# ")
    let line = text.split(separator: "\n").dropFirst().first { line in
      let line = line.lowercased()
      return words.contains { occurrences(of: $0, in: line) > 0 }
    }
    let excerpt = line.map { "    " + shortened(withoutMarks($0)) + "\n" } ?? ""
    return "`rehearse docs \(topic.name)\(isPage ? "" : "#" + anchor)`\n\(excerpt)\n"
  }
}

/// Returns the words of a line of Markdown.
private func withoutMarks(_ line: Substring) -> String {
  withoutLinks(line).split { " |*`".contains($0) }.joined(separator: " ")
}

/// Returns a line that fits in a terminal of 100 columns.
private func shortened(_ line: String) -> String {
  line.count > 92 ? line.prefix(91) + "…" : line
}

/// Returns how many words of a text begin with these characters.
private func occurrences(of word: String, in text: String) -> Int {
  text.pieces(separatedBy: word).dropLast()
    .count { piece in piece.last.map { !$0.isLetter && !$0.isNumber } ?? true }
}
