import TestKit
import Testing

private let debts = TidyDebts(fileText(TidyDebts.path) ?? "")
private let mostFiles = 15

/// Rules that not every file keeps yet. `TidyDebts.path` lists the files that do not.
@Suite struct DebtTests {
  @Test func `prose is written in plain words`() {
    var found: [String: [String]] = [:]
    for text in sourceTexts {
      found[text.path] = places(bannedPhrases(in: text.prose), of: text.lines)
    }
    for text in testTexts {
      found[text.path] = places(bannedPhrases(in: text.commentProse), of: text.lines)
    }
    for page in Self.pages {
      found[page.path] = places(bannedPhrases(in: page.words), of: page.lines)
    }
    #expect(found.count > 500)
    #expect(debts.problems(of: "words", found) == [])
  }

  @Test func `pages and comments on what is public have their nouns near`() {
    var found: [String: [String]] = [:]
    for page in Self.pages {
      found[page.path] = places(unclearPhrases(in: page.words), of: page.lines)
    }
    for text in sourceTexts {
      found[text.path] =
        places(unclearPhrases(in: text.publicProse), of: text.lines)
        + text.headlessComments.map { "a comment begins with What in line \($0 + 1)" }
    }
    #expect(debts.problems(of: "nouns", found) == [])
  }

  private struct Page {
    var path: String
    var lines: [String]
    var words: [ProseWord]
  }

  /// The documentation, and the texts that the program carries.
  private static let pages: [Page] = {
    let paths = ["docs", "Sources/CTexts"].flatMap(filePaths(below:)).filter { $0.hasSuffix(".md") }
    return (paths + ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Sources/ARCHITECTURE.md"])
      .map { path in
        let text = fileText(path) ?? ""
        return Page(path: path, lines: splitLines(text), words: proseWords(ofPage: text))
      }
  }()

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

  private func places(_ phrases: [BannedPhrase], of lines: [String]) -> [String] {
    phrases.filter { !isPermitted($0.phrase, in: lines[$0.line]) }
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
