import TestKit
import Testing

private let debts = TidyDebts(fileText(TidyDebts.path) ?? "")
private let mostFiles = 15

/// Rules that not every file keeps yet. `TidyDebts.path` lists the files that do not.
@Suite struct DebtTests {
  @Test func `prose is written in plain words`() {
    var found: [String: [String]] = [:]
    for text in sourceTexts { found[text.path] = places(in: text.prose, of: text.lines) }
    for text in testTexts { found[text.path] = places(in: text.commentProse, of: text.lines) }
    let pages = filePaths(below: "docs").filter { $0.hasSuffix(".md") }
    for path in pages + ["README.md", "Sources/ARCHITECTURE.md"] {
      let text = fileText(path) ?? ""
      found[path] = places(in: proseWords(ofPage: text), of: splitLines(text))
    }
    #expect(found.count > 500)
    #expect(debts.problems(of: "words", found) == [])
  }

  @Test func `no folder of the sources shows more than 15 files`() {
    var files: [String: [String]] = [:]
    for path in filePaths(below: "Sources") {
      let parts = path.split(separator: "/")
      files[parts.dropLast().joined(separator: "/"), default: []].append(String(parts.last ?? ""))
    }
    #expect(files.count > 30)
    #expect(files.filter { $0.value.count > mostFiles } == [:])
  }

  @Test func `no id is just a number`() {
    var found: [String: [String]] = [:]
    for text in sourceTexts {
      let lines = text.code.indices.filter { isIDAlias(text.code[$0]) }
      found[text.path] = lines.map(text.place)
    }
    #expect(debts.problems(of: "aliases", found) == [])
  }

  private func places(in words: [ProseWord], of lines: [String]) -> [String] {
    bannedPhrases(in: words).filter { !isPermitted($0.phrase, in: lines[$0.line]) }
      .map { "\($0.phrase) in line \($0.line + 1)" }
  }
}

/// Whether a line declares an id as another name for `Int`, such as `typealias NodeID = Int`.
func isIDAlias(_ code: String) -> Bool {
  let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "=" }
  guard let start = words.firstIndex(of: "typealias"), words[start...].count >= 4 else {
    return false
  }
  let (name, sign, type) = (words[start + 1], words[start + 2], words[start + 3])
  return (name.hasSuffix("ID") || name.hasSuffix("Id")) && sign == "=" && type == "Int"
}
