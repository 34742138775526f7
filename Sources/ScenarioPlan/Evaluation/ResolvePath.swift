import TextSearch

/// Returns where a path leads that is written relative to a folder. An absolute path stays as it
/// is.
///
/// An empty folder is the current one; a slash at the folder's end makes no difference.
package func resolve(_ path: String, in folder: String) -> String {
  if folder.isEmpty || path.hasPrefix("/") { return path }
  return folder.hasSuffix("/") ? folder + path : folder + "/" + path
}

/// Returns the folder that holds a file; the current one is empty, as for `resolve`.
package func enclosingFolder(of path: String) -> String {
  guard let slash = path.lastIndex(ofASCII: "/") else { return "" }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
