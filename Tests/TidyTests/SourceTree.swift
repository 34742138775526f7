import Glibc

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

  /// `path:line` of a line counted from 0.
  func place(_ line: Int) -> String { "\(path):\(line + 1)" }
}

func splitLines(_ text: String) -> [String] {
  var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  if lines.last == "" { lines.removeLast() }
  return lines
}

/// The package's root, found from where this file was compiled.
let packageRoot = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

/// All Swift files below a folder of the package, in the order of their paths.
func swiftTexts(below folder: String) -> [SwiftText] {
  filePaths(below: folder).filter { $0.hasSuffix(".swift") }.map { path in
    SwiftText(path: path, text: fileText(path) ?? "")
  }
}

/// The text of a file of the package; nil when there is none.
func fileText(_ path: String) -> String? {
  guard let file = fopen(packageRoot + "/" + path, "r") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
    bytes += chunk[..<count]
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// The paths of all files below a folder, sorted, so that complaints come in one order.
func filePaths(below folder: String) -> [String] {
  guard let directory = opendir(packageRoot + "/" + folder) else { return [] }
  defer { closedir(directory) }
  var paths: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: entry.pointee.d_name) { name in
      name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    guard !name.hasPrefix(".") else { continue }
    let path = folder + "/" + name
    if entry.pointee.d_type == DT_DIR {
      paths += filePaths(below: path)
    } else {
      paths.append(path)
    }
  }
  return paths.sorted()
}
