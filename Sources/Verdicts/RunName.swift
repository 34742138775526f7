import TextSearch

/// Returns the id of a scenario or of a row, by which programs find its results and select it
/// again. It stays when lines move.
package func runName(_ title: String, row: String?, in path: String) -> String {
  let path = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
  return "\(path)::\(title)" + (row.map { "::\($0)" } ?? "")
}
