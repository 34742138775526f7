import ScenarioSpec

/// The names of an imported scenario: each is free, and says where it comes from.
struct ImportNames {
  private var taken: Set<String> = []
  /// The most characters of a name.
  private static let longest = 30

  /// Returns a free name that is made of the letters and digits of a text.
  mutating func name(_ text: String, or other: String) -> String {
    var name = ImportNames.camelCase(text)
    if name.isEmpty || ReservedNames.onStage.contains(name) { name = other }
    name = String(name.prefix(ImportNames.longest))
    var free = name
    var number = 2
    while taken.contains(free) {
      free = name.prefix(ImportNames.longest - String(number).count) + String(number)
      number += 1
    }
    taken.insert(free)
    return free
  }

  /// `task_id` and `task-id` become `taskId`.
  static func camelCase(_ text: String) -> String {
    let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    guard let first = words.first else { return "" }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let name = first.prefix(1).lowercased() + first.dropFirst() + rest.joined()
    return name.first?.isNumber == true ? "n" + name : String(name)
  }
}
