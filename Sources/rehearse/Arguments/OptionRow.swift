import Values

/// An option as the help, the completions and the messages know it.
struct OptionEntry {
  var name: OptionName
  var short: Character?
  /// The name of the value in the help; nil for an option that takes none.
  var value: String?
  /// True if the value may be left out. If it is given, it comes after `=`.
  var isOptional = false
  var isRepeatable = false
  /// True if the value is two arguments, such as `EVENT CHANGE`.
  var takesTwo: Bool { value?.utf8.contains(UInt8(ascii: " ")) == true }
  var purpose: String

  init(
    _ name: OptionName, short: Character? = nil, value: String? = nil, repeatable: Bool = false,
    optional: Bool = false, _ purpose: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    isRepeatable = repeatable
    isOptional = optional
    self.purpose = purpose
  }

  static let everywhere = [
    OptionEntry(.version, "print the version"),
    OptionEntry(.help, short: "h", "print this page"),
  ]
}

/// A row of a command's table: an option, and what it changes in the arguments if it is given.
///
/// ```swift
/// .flag(.failFast, \.failsFast, "stop after the first scenario that fails")
/// ```
struct OptionRow<Arguments> {
  /// It throws nothing but a `UsageProblem`.
  typealias Read = (ArgumentWords, inout Arguments) throws -> Void

  let entry: OptionEntry
  let read: Read

  /// Makes a row. Without `read`, the arguments read the option together with others.
  init(_ entry: OptionEntry, _ read: @escaping Read = { _, _ in }) {
    self.entry = entry
    self.read = read
  }

  init(
    _ name: OptionName, short: Character? = nil, value: String? = nil, repeatable: Bool = false,
    optional: Bool = false, _ purpose: String, _ read: @escaping Read = { _, _ in }
  ) {
    self.init(
      OptionEntry(
        name, short: short, value: value, repeatable: repeatable, optional: optional, purpose),
      read)
  }

  static func flag(
    _ name: OptionName, short: Character? = nil, _ path: WritableKeyPath<Arguments, Bool>,
    _ purpose: String
  ) -> Self {
    Self(name, short: short, purpose) { $1[keyPath: path] = true }
  }

  static func text(
    _ name: OptionName, _ value: String, _ path: WritableKeyPath<Arguments, String?>,
    _ purpose: String
  ) -> Self {
    Self(name, value: value, purpose) { $1[keyPath: path] = $0.value(of: name)?.text }
  }

  static func texts(
    _ name: OptionName, _ value: String, _ path: WritableKeyPath<Arguments, [String]>,
    _ purpose: String
  ) -> Self {
    Self(name, value: value, repeatable: true, purpose) {
      $1[keyPath: path] = $0.values(of: name).map(\.text)
    }
  }

  static func number(
    _ name: OptionName, _ range: ClosedRange<Int>, _ path: WritableKeyPath<Arguments, Int?>,
    _ purpose: String
  ) -> Self {
    Self(name, value: "N", purpose) {
      $1[keyPath: path] = try $0.number(name, range)
    }
  }

  static func time(
    _ name: OptionName, _ path: WritableKeyPath<Arguments, Microseconds?>, _ purpose: String
  ) -> Self {
    Self(name, value: "TIME", purpose) { $1[keyPath: path] = try $0.time(name) }
  }

  static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ entry: OptionEntry, _ path: WritableKeyPath<Arguments, Choice>
  ) -> Self {
    Self(entry) {
      if let choice: Choice = try $0.choice(entry.name) { $1[keyPath: path] = choice }
    }
  }
}

/// The arguments of a command. A new option is a property and a row, beside each other.
protocol VerbArguments: Equatable {
  /// Creates the arguments of a command line without options.
  init()
  static var rows: [OptionRow<Self>] { get }
  /// Reads the operands and what several options say together, and refuses what contradicts it.
  mutating func finish(_ words: ArgumentWords) throws(UsageProblem)
}

extension VerbArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    self.init()
    try readOptions(words)
    try finish(words)
  }

  mutating func readOptions(_ words: ArgumentWords) throws(UsageProblem) {
    for row in Self.rows where words.has(row.entry.name) {
      do {
        try row.read(words, &self)
      } catch {
        guard let problem = error as? UsageProblem else { fatalError("\(error)") }
        throw problem
      }
    }
  }

  static var entries: [OptionEntry] { rows.map(\.entry) }
}
