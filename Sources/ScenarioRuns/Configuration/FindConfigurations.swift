import Glibc
import TextSearch

/// Finds the configurations that hold for a file: in its folder and in those above, the nearest
/// first.
///
/// The search ends at the folder of the repository, which holds `.git`. Outside of a repository it
/// ends at the folder in which the command runs, and of a file elsewhere it is its own folder.
func configurationPaths(for path: String, _ files: ComponentFiles) -> [String] {
  var folders = foldersAbove(path, most: ComponentLimit.folders)
  if let end = folders.firstIndex(where: { files.read(file(".git", in: $0)) != nil }) {
    folders = Array(folders[...end])
  } else if let end = folders.firstIndex(where: isWorkingFolder) {
    folders = Array(folders[...end])
  } else {
    folders = Array(folders.prefix(1))
  }
  // A configuration is completed by those above it, not by itself.
  if isConfiguration(path) { folders.removeFirst() }
  return folders.compactMap { folder in
    configurationNames.map { file($0, in: folder) }.first { files.read($0) != nil }
  }
}

private func file(_ name: String, in folder: String) -> String {
  folder.isEmpty ? name : folder == "/" ? "/" + name : "\(folder)/\(name)"
}

private func isWorkingFolder(_ folder: String) -> Bool {
  if folder.isEmpty { return true }
  guard folder.hasPrefix("/"), let here = realpath(".", nil) else { return false }
  defer { free(here) }
  guard let there = realpath(folder, nil) else { return false }
  defer { free(there) }
  return strcmp(here, there) == 0
}
