/// A command line split by a command's page into options with their values, and operands. The
/// values are still text.
struct ArgumentWords {
  /// An argument, or the part of one that is a value.
  struct Word: Equatable {
    var text: String
    /// The position of its argument.
    var position: Int
  }

  /// An option that was given, with its value.
  struct Given {
    var entry: OptionEntry
    var value: Word
  }

  let line: CommandLineText
  let page: VerbPage
  private(set) var options: [Given] = []
  private(set) var operands: [Word] = []
  private var next = 1

  init(reading line: CommandLineText, for page: VerbPage) throws(UsageProblem) {
    self.line = line
    self.page = page
    while let argument = line.argument(at: next) {
      let endsOptions = argument == "--"
      if endsOptions || (page.takesCommand && !argument.hasPrefix("-")) {
        for position in line.positions(after: endsOptions ? next : next - 1) {
          takeOperand(at: position)
        }
        break
      }
      try take(argument)
      next += 1
    }
    guard !asksForHelp else { return }
    try checkOperandCount()
  }

  var asksForHelp: Bool { has(.help) }

  func has(_ name: OptionName) -> Bool { options.contains { $0.entry.name == name } }

  /// Returns the values of a repeatable option, in the order given.
  func values(of name: OptionName) -> [Word] {
    options.filter { $0.entry.name == name }.map(\.value)
  }

  func value(of name: OptionName) -> Word? { values(of: name).first }

  private mutating func take(_ argument: String) throws(UsageProblem) {
    if argument.hasPrefix("--") {
      try takeLong(argument)
    } else if argument.hasPrefix("-"), let letter = argument.dropFirst().first, letter.isLetter {
      try takeShort(argument)
    } else {
      takeOperand(at: next)
    }
  }

  private mutating func takeOperand(at position: Int) {
    guard let text = line.argument(at: position) else { return }
    operands.append(Word(text: text, position: position))
  }

  private mutating func takeLong(_ argument: String) throws(UsageProblem) {
    let parts = argument.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map { String($0) } ?? ""
    guard let entry = page.allOptions.first(where: { $0.name.rawValue == name }) else {
      throw .unknownOption("--" + name, at: next, of: page, line)
    }
    guard parts.count == 2 else { return try add(entry) }
    guard entry.value != nil else { throw .needlessValue(of: entry, at: next, line) }
    try add(entry, Word(text: String(parts[1]), position: next))
  }

  /// Takes letters one by one: `-vq` is `-v -q`.
  private mutating func takeShort(_ argument: String) throws(UsageProblem) {
    for letter in argument.dropFirst() {
      guard let entry = page.allOptions.first(where: { $0.short == letter }) else {
        throw .unknownOption("-\(letter)", at: next, of: page, line)
      }
      try add(entry)
    }
  }

  /// Adds an option whose value, if it takes one, is the next argument.
  private mutating func add(_ entry: OptionEntry) throws(UsageProblem) {
    guard entry.value != nil, !entry.isOptional else {
      return try add(entry, Word(text: "", position: next))
    }
    guard let text = line.argument(at: next + 1), text != "--" else {
      throw .missingValue(of: entry, at: next, line)
    }
    guard !text.hasPrefix("--") else { throw .missingValue(of: entry, at: next, line) }
    next += 1
    var word = Word(text: text, position: next)
    if entry.takesTwo, !text.utf8.contains(UInt8(ascii: " ")) {
      guard let second = line.argument(at: next + 1), !second.hasPrefix("--") else {
        throw .missingValue(of: entry, at: next - 1, line)
      }
      next += 1
      word = Word(text: text + " " + second, position: next)
    }
    try add(entry, word)
  }

  private mutating func add(_ entry: OptionEntry, _ value: Word) throws(UsageProblem) {
    if !entry.isRepeatable, let first = options.first(where: { $0.entry.name == entry.name }) {
      throw .givenTwice(entry, first: first.value.position, again: value.position, line)
    }
    options.append(Given(entry: entry, value: value))
  }

  private func checkOperandCount() throws(UsageProblem) {
    if operands.count > page.operandCount.upperBound {
      throw .unexpectedArgument(operands[page.operandCount.upperBound], of: page, line)
    }
    if operands.count < page.operandCount.lowerBound { throw .missingOperand(of: page, line) }
  }
}

/// The command line as one text, so that a diagnostic can point into it.
struct CommandLineText: Equatable {
  let arguments: [String]
  let text: String
  /// The bytes of each argument in the text.
  let ranges: [Range<Int>]

  init(_ arguments: [String]) {
    var text = "rehearse"
    var ranges: [Range<Int>] = []
    for (position, argument) in arguments.enumerated() {
      let isSetting = position > 0 && arguments[position - 1] == CommandLineText.setting
      let start = text.utf8.count + 1
      text +=
        " "
        + CommandLineText.quoted(
          CommandLineText.withoutValue(argument, isSetting: isSetting))
      ranges.append(start..<text.utf8.count)
    }
    self.arguments = arguments
    self.text = text
    self.ranges = ranges
  }

  func argument(at position: Int) -> String? {
    arguments.indices.contains(position) ? arguments[position] : nil
  }

  /// Returns the bytes of a part of a word; nil if the text has the word in another form.
  func bytes(of part: Range<String.Index>, in word: ArgumentWords.Word) -> Range<Int>? {
    guard ranges.indices.contains(word.position) else { return nil }
    let argument = Array(text.utf8)[ranges[word.position]]
    let wanted = Array(word.text.utf8)
    let start = argument.indices.first { argument[$0...].starts(with: wanted) }
    return start.map { start in
      let utf8 = word.text.utf8
      let first = start + utf8.distance(from: utf8.startIndex, to: part.lowerBound)
      return first..<first + utf8.distance(from: part.lowerBound, to: part.upperBound)
    }
  }

  func positions(after position: Int) -> Range<Int> {
    let first = min(position + 1, arguments.count)
    return first..<arguments.count
  }

  private static let setting = "--" + OptionName.variable.rawValue

  /// Returns an argument without the value of a variable, which may be a secret: the scenario that
  /// declares it has not been read.
  private static func withoutValue(_ argument: String, isSetting: Bool) -> String {
    let prefix = isSetting ? "" : setting + "="
    guard argument.hasPrefix(prefix), isSetting || argument != prefix,
      let equals = argument.dropFirst(prefix.count).dropFirst().firstIndex(of: "="),
      argument.index(after: equals) < argument.endIndex
    else { return argument }
    return argument[...equals] + "…"
  }

  /// Returns an argument as it would be typed: in quotes if a shell would split it.
  private static func quoted(_ argument: String) -> String {
    let special = " \t\n'\"$`*?[]{}()&|;<>!#".utf8
    guard argument.isEmpty || argument.utf8.contains(where: special.contains) else {
      return argument
    }
    let parts = argument.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: "'\\''") + "'"
  }
}
