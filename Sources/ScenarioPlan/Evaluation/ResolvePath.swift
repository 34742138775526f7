/// Returns where a path leads that is written relative to a folder. An absolute path stays as it
/// is.
///
/// An empty folder is the current one; a slash at the folder's end makes no difference.
package func resolve(_ path: String, in folder: String) -> String {
  if folder.isEmpty || path.hasPrefix("/") { return path }
  return folder.hasSuffix("/") ? folder + path : folder + "/" + path
}
