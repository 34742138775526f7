import Testing

/// How often a file may still break a rule that is newer than the file.
///
/// Each line of the list is a path, a number and the name of a check. The number must be exact: a
/// file that has become better lowers it, so the list only shrinks.
struct TidyDebts {
  static let path = "Tests/tidy-debts.txt"
  private var allowed: [String: [String: Int]] = [:]

  init(_ list: String) {
    for line in splitLines(list) where !line.hasPrefix("#") {
      let words = line.split(separator: " ")
      guard words.count == 3, let count = Int(words[1]) else { continue }
      allowed[String(words[2]), default: [:]][String(words[0])] = count
    }
  }

  /// Returns what is wrong with the files in which a check found something, by path.
  func problems(of check: String, _ found: [String: [String]]) -> [String] {
    let debts = allowed[check] ?? [:]
    return Set(debts.keys).union(found.keys).sorted().compactMap { path in
      let places = found[path] ?? []
      let count = debts[path] ?? 0
      if places.count > count {
        return "\(path): \(places.count) \(check), and \(count) are allowed: "
          + places.joined(separator: ", ")
      }
      return places.count == count
        ? nil
        : "\(path): \(places.count) \(check), and \(count) are listed: write \(places.count), "
          + "or leave the line out"
    }
  }
}
