import Glibc

/// Where the files of components are read from.
package struct ComponentFiles: Sendable {
  /// The bytes of a file, or why they could not be had; nil where there is no such file.
  package var read: @Sendable (_ path: String) -> Result<[UInt8], FileProblem>?
  /// What there is in a folder, in the order of names.
  package var names: @Sendable (_ folder: String) -> [String]

  package init(
    read: @escaping @Sendable (String) -> Result<[UInt8], FileProblem>?,
    names: @escaping @Sendable (String) -> [String]
  ) {
    self.read = read
    self.names = names
  }

  package static let onDisk = ComponentFiles(
    read: { access($0, F_OK) == 0 ? readFile($0) : nil },
    names: { folderNames($0.isEmpty ? "." : $0) ?? [] })

  /// Files by their paths, without a disk.
  package static func inMemory(_ texts: [String: String]) -> ComponentFiles {
    ComponentFiles(
      read: { path in
        let isFolder = texts.keys.contains { $0.hasPrefix(path + "/") }
        return texts[path].map { .success(Array($0.utf8)) }
          ?? (isFolder ? .failure(FileProblem(message: "it is a folder")) : nil)
      },
      names: { folder in
        let prefix = folder.isEmpty ? "" : folder + "/"
        return texts.keys.filter { $0.hasPrefix(prefix) }
          .map { String($0.dropFirst(prefix.count)) }.filter { !$0.contains("/") }.sorted()
      })
  }
}

/// A path without detours: `a/./b/../c` is `a/c`.
func straightened(_ path: String) -> String {
  var parts: [Substring] = []
  for part in path.split(separator: "/") where part != "." {
    if part == "..", let last = parts.last, last != ".." {
      parts.removeLast()
    } else if part != ".." || !path.hasPrefix("/") {
      parts.append(part)
    }
  }
  return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
}

/// The folder a file is in; empty for the current one.
func folder(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "" }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

func joined(_ folder: String, _ path: String) -> String {
  if folder.isEmpty || path.hasPrefix("/") { return straightened(path) }
  return straightened(folder + "/" + path)
}

/// The folder of a file and those above it, the nearest first. Above the folder that a relative
/// path begins in, they are `..`, `../..` and so on.
func foldersAbove(_ path: String, most: Int) -> [String] {
  var current = folder(of: straightened(path))
  var folders = [current]
  while folders.count < most, current != "/" {
    current = folderAbove(current)
    folders.append(current)
  }
  return folders
}

/// The folder that a folder is in.
private func folderAbove(_ current: String) -> String {
  if current.isEmpty { return ".." }
  let isAbove = current == ".." || current.hasSuffix("/..")
  return isAbove ? current + "/.." : folder(of: current)
}
