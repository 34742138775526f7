import Glibc
import ScenarioPlan
import TextSearch

/// The files that scenarios use: components, steps, tables and snapshots.
package struct ComponentFiles: Sendable {
  /// Reads a file. The result is nil if there is no such file.
  package var read: @Sendable (_ path: String) -> Result<[UInt8], FileProblem>?
  /// Lists the names in a folder, in their order.
  package var names: @Sendable (_ folder: String) -> [String]
  /// Notes a file that is read in another way, such as the body of an answer.
  package var willRead: @Sendable (_ path: String) -> Void = { _ in }

  package static let onDisk = ComponentFiles(
    read: { access($0, F_OK) == 0 ? readFile($0) : nil },
    names: { folderNames($0.isEmpty ? "." : $0) ?? [] })

  /// Makes files of texts, by their paths.
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

/// Returns a path without detours: `a/./b/../c` is `a/c`.
func straightened(_ path: String) -> String {
  var parts: [String] = []
  for part in path.split(separator: "/") where part != "." {
    if part == "..", let last = parts.last, last != ".." {
      parts.removeLast()
    } else if part != ".." || !path.hasPrefix("/") {
      parts.append(String(part))
    }
  }
  return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
}

/// Returns where a path leads that is written relative to a folder, without detours.
func straightPath(_ path: String, in folder: String) -> String {
  straightened(resolve(path, in: folder))
}

/// Returns the folder of a file and those above it, the nearest first. Above the first folder of a
/// relative path they are `..`, `../..` and so on.
func foldersAbove(_ path: String, most: Int) -> [String] {
  var current = enclosingFolder(of: straightened(path))
  var folders = [current]
  while folders.count < most, current != "/" {
    current = folderAbove(current)
    folders.append(current)
  }
  return folders
}

/// Returns the folder that holds a folder.
private func folderAbove(_ current: String) -> String {
  if current.isEmpty { return ".." }
  let isAbove = current == ".." || current.hasSuffix("/..")
  return isAbove ? current + "/.." : enclosingFolder(of: current)
}
