import TestKit

/// A Swift file of this package, with its lines as written and as code alone.
struct SwiftText: Sendable {
  /// The path from the package's root.
  let path: String
  let lines: [String]
  /// The same lines with comments and texts blanked out.
  let code: [String]

  var name: String {
    String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
  }

  init(path: String, text: String) {
    self.path = path
    lines = splitLines(text)
    code = splitLines(codeOnly(text))
  }

  /// Returns `path:line` of a line counted from 0.
  func place(_ line: Int) -> String { "\(path):\(line + 1)" }
}

func splitLines(_ text: String) -> [String] {
  var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  if lines.last == "" { lines.removeLast() }
  return lines
}

/// Returns all Swift files below a folder of the package, in the order of their paths.
func swiftTexts(below folder: String) -> [SwiftText] {
  filePaths(below: folder).filter { $0.hasSuffix(".swift") }.map { path in
    SwiftText(path: path, text: fileText(path) ?? "")
  }
}

/// The Swift files of the package, read once for all tests.
let sourceTexts = swiftTexts(below: "Sources")
let testTexts = swiftTexts(below: "Tests")
