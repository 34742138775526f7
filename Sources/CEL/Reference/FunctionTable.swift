import TextSearch

/// A part of the page of functions.
package enum FunctionGroup: Sendable, CaseIterable {
  case stage, macros, collections, lists, sets, texts, patterns, numbers, conversions, times
  case randoms, encodings, hashes, optionals, networks

  package var title: String {
    switch self {
    case .stage: "The scenario"
    case .macros: "Loops and variables"
    case .collections: "Maps, and sizes of all kinds"
    case .lists: "Lists"
    case .sets: "Lists as sets"
    case .texts: "Text and bytes"
    case .patterns: "Regular expressions"
    case .numbers: "Numbers"
    case .conversions: "Conversions"
    case .times: "Time"
    case .randoms: "Random values"
    case .encodings: "Encodings"
    case .hashes: "Digests and signatures"
    case .optionals: "Optionals"
    case .networks: "IP addresses"
    }
  }
}

/// A function of the language, for its page and for `rehearse explain`.
package struct FunctionEntry: Sendable {
  package let group: FunctionGroup
  package let name: String
  /// All forms with the types that they take: `list.slice(int, int)`.
  package let forms: [String]
  /// The type of the result; nil if it depends on the arguments.
  package let result: String?
  package let text: String
  package let example: String
  /// An expression that equals the example.
  package let value: String

  package init(
    _ group: FunctionGroup, _ name: String, forms: [String], result: String? = nil, _ text: String,
    example: String, value: String
  ) {
    self.group = group
    self.name = name
    self.forms = forms
    self.result = result
    self.text = text
    self.example = example
    self.value = value
  }
}

/// The table of all functions that each expression has.
package enum FunctionTable {
  package static let entries: [FunctionEntry] =
    macros
    + Builtins.groups.flatMap { group, functions in
      functions.compactMap { entry(of: $0, among: functions, group) }
    }

  /// The names of functions that the table says nothing about: none, as a test checks.
  package static var functionsWithoutText: [String] {
    let known = Set(entries.map(\.name))
    return Builtins.groups.flatMap(\.functions).map(\.name).filter { !known.contains($0) }
      + Compiler.macroNames.filter { !known.contains($0) && $0 != "existsOne" }
  }

  private static func entry(
    of function: Builtin, among all: [Builtin], _ group: FunctionGroup
  ) -> FunctionEntry? {
    guard let note = function.note else { return nil }
    let same = all.filter { $0.name == function.name }
    let forms = same.flatMap { builtin in
      builtin.signatures.map { $0.spelling(of: builtin.name, isMember: builtin.isMember) }
    }
    let results = Set(same.flatMap { $0.signatures.map(\.result) })
    let result = results.count == 1 ? results.first?.description : nil
    return FunctionEntry(
      group, function.name, forms: forms.removingRepetitions,
      result: result == "dyn" ? nil : result, note.text, example: note.example, value: note.result)
  }
}

extension [String] {
  fileprivate var removingRepetitions: [String] {
    var known: Set<String> = []
    return filter { known.insert($0).inserted }
  }
}
