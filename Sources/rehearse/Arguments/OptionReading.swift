import Protocols
import Reports
import ScenarioRuns
import ScenarioSpec
import Values

extension ArgumentWords {
  /// The value of an option that takes one of a few words.
  func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ name: OptionName
  ) throws(UsageProblem) -> Choice? {
    guard let word = value(of: name) else { return nil }
    return try known(word)
  }

  /// Returns what a word stands for that is one of a few.
  func known<Choice: CaseIterable & RawRepresentable<String>>(
    _ word: Word
  ) throws(UsageProblem) -> Choice {
    guard let known = Choice(rawValue: word.text) else {
      throw .badChoice(word, of: Choice.allCases.map(\.rawValue), line)
    }
    return known
  }

  /// The value of an option that takes a whole number.
  func number(
    _ name: OptionName, _ range: ClosedRange<Int>, of unit: String = ""
  ) throws(UsageProblem) -> Int? {
    guard let word = value(of: name) else { return nil }
    guard let number = Int(word.text), range.contains(number) else {
      throw .badNumber(word, name, range, unit, line)
    }
    return number
  }

  /// Refuses an option beside another one that asks for the opposite.
  func refuse(_ name: OptionName, beside other: OptionName) throws(UsageProblem) {
    if let one = value(of: name), let other = value(of: other) {
      throw .contradiction(one, other, line)
    }
  }

  /// Returns the option that is the argument before an operand, if it could have had a value.
  private func optionWithoutValue(before word: Word) -> OptionName? {
    options.first {
      $0.entry.isOptional && $0.value.text.isEmpty && $0.value.position == word.position - 1
    }?.entry.name
  }

  func scenarios() throws(UsageProblem) -> ScenarioChoice {
    var selectors: [Selector] = []
    for word in operands {
      guard let selection = Selection(word.text) else { throw .badSelector(word, line) }
      selectors.append(
        Selector(
          text: word.text, selection: selection, optionBefore: optionWithoutValue(before: word)))
    }
    if selectors.isEmpty {
      selectors = [Selector(text: defaultScenarioPath, selection: .path(defaultScenarioPath))]
    }
    var choice = ScenarioChoice(selectors: selectors, tags: try tags())
    choice.isDefault = operands.isEmpty
    choice.titles = try titles()
    choice.shard = try shard()
    choice.durations = value(of: .durations)?.text
    choice.failed = try failed()
    return choice
  }

  func tags() throws(UsageProblem) -> TagFilter {
    var filter = TagFilter()
    for word in values(of: .tag) {
      let excludes = word.text.hasPrefix("!")
      let tag = String(word.text.dropFirst(excludes ? 1 : 0))
      guard !tag.isEmpty else { throw .emptyTag(word, line) }
      if excludes { filter.excluded.append(tag) } else { filter.wanted.append(tag) }
    }
    return filter
  }

  func variables() throws(UsageProblem) -> [VariableSetting] {
    var settings: [VariableSetting] = []
    for word in values(of: .variable) {
      guard let equals = word.text.firstIndex(of: "="), equals > word.text.startIndex else {
        throw .badVariable(word, line)
      }
      let value = String(word.text[word.text.index(after: equals)...])
      settings.append(VariableSetting(name: String(word.text[..<equals]), value: value))
    }
    return settings
  }

  func seed() throws(UsageProblem) -> UInt64? {
    guard let word = value(of: .seed) else { return nil }
    let isHexadecimal = word.text.lowercased().hasPrefix("0x")
    let digits = word.text.dropFirst(isHexadecimal ? 2 : 0)
    guard digits.first != "+", let seed = UInt64(digits, radix: isHexadecimal ? 16 : 10) else {
      throw .badSeed(word, line)
    }
    return seed
  }

  func time(_ name: OptionName) throws(UsageProblem) -> Microseconds? {
    guard let word = value(of: name) else { return nil }
    guard case .success(let time) = parseDuration(word.text) else {
      throw .badTimeout(word, line)
    }
    return time
  }

  func update() throws(UsageProblem) -> UpdateChoice {
    guard let word = value(of: .update) else { return .no }
    if word.text.isEmpty { return .yes }
    guard word.text == UpdateChoice.force.rawValue else {
      throw .badChoice(word, of: [UpdateChoice.force.rawValue], line)
    }
    return .force
  }

  /// Returns the requested reports. A person who asks for a file still wants to see the result, so
  /// standard output shows the human report unless another is requested.
  func reports() throws(UsageProblem) -> [ReportRequest] {
    var reports: [ReportRequest] = []
    var shown: Word?
    for word in values(of: .format) {
      let report = try report(word)
      if report.path == nil {
        if let shown { throw .twoReportsShown(shown, word, line) }
        shown = word
      } else if reports.contains(where: { $0.path == report.path }) {
        throw .twoReportsInOneFile(word, line)
      }
      reports.append(report)
    }
    return shown == nil ? [ReportRequest(format: .human)] + reports : reports
  }

  /// The report of `--compare`, which only a page shows.
  func reportToCompare() throws(UsageProblem) -> String? {
    guard let word = value(of: .compare) else { return nil }
    guard try reports().contains(where: { $0.format == .html }) else {
      throw .badValue(
        word, "only the HTML report compares two runs", line,
        help: "add `--format html=report.html`")
    }
    return word.text
  }

  private func report(_ word: Word) throws(UsageProblem) -> ReportRequest {
    let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map { String($0) } ?? ""
    guard let format = ReportRequest.Format(rawValue: name) else {
      throw .badChoice(word, named: name, of: ReportRequest.Format.allCases.map(\.rawValue), line)
    }
    guard parts.count == 2 else { return ReportRequest(format: format) }
    guard !parts[1].isEmpty else { throw .missingReportPath(word, line) }
    return ReportRequest(format: format, path: parts[1] == "-" ? nil : String(parts[1]))
  }

  /// The format of a list of scenarios, where `--format` takes reports as well.
  func listing() throws(UsageProblem) -> ListingFormat {
    var listing = ListingFormat.human
    for word in values(of: .format) {
      guard let format = ListingFormat(rawValue: word.text) else {
        throw .noListing(word, line)
      }
      listing = format
    }
    return listing
  }

  func detail() throws(UsageProblem) -> Detail {
    try refuse(.verbose, beside: .quiet)
    return has(.verbose) ? .verbose : has(.quiet) ? .quiet : .normal
  }

  func world() throws(UsageProblem) -> WorldKind {
    var choices = WorldChoices()
    choices.settings = try realWorld()
    for word in values(of: .against) {
      for part in word.text.split(separator: ",", omittingEmptySubsequences: false) {
        try choose(String(part), of: word, &choices)
      }
    }
    return choices.kind
  }

  /// Adds a part of `--against`: a world, or the world of one endpoint.
  private func choose(
    _ part: String, of word: Word, _ choices: inout WorldChoices
  ) throws(UsageProblem) {
    let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, !sides[0].hasPrefix("trace:") else {
      if choices.others != nil { throw .worldChosenTwice(nil, word, line) }
      choices.others = try worldName(part, of: word, &choices)
      return
    }
    let name = String(sides[0])
    if name.isEmpty { throw .worldNotThere(part, word, line) }
    if choices.choices.contains(where: { $0.endpoint == name }) {
      throw .worldChosenTwice(name, word, line)
    }
    let world = try worldName(String(sides[1]), of: word, &choices)
    choices.choices.append(WorldChoices.Choice(name, world))
  }

  private func worldName(
    _ text: String, of word: Word, _ choices: inout WorldChoices
  ) throws(UsageProblem) -> WorldName {
    guard !text.hasPrefix("trace:"), text != "trace" else {
      let path = String(text.dropFirst("trace:".count))
      if path.isEmpty { throw .traceOfWorldMissing(word, line) }
      if let other = choices.trace, other.path != path { throw .twoTraces(word, line) }
      choices.trace = TraceWorld(path)
      return .trace
    }
    guard let choice = WorldChoice(rawValue: text) else { throw .worldNotThere(text, word, line) }
    switch choice {
    case .mock: return .mock
    case .sockets: return .sockets
    case .real: return .real
    }
  }

  private func realWorld() throws(UsageProblem) -> RealWorldSettings {
    var settings = RealWorldSettings()
    settings.trustedFile = value(of: .trustedFile)?.text
    settings.isInsecure = has(.insecure)
    settings.ignoresDrift = has(.noDrift)
    if let certificate = value(of: .certificate)?.text {
      settings.certificate = (certificate, value(of: .key)?.text ?? certificate)
    }
    guard let proxy = value(of: .proxy) else { return settings }
    switch AbsoluteURL.read(proxy.text) {
    case .success(let url) where !url.isSecure && url.socket == nil:
      settings.proxies = ProxySettings(for: url)
    case .success: throw .badProxy(proxy, "a proxy's URL begins with `http://`", line)
    case .failure(let problem): throw .badProxy(proxy, problem.message, line)
    }
    return settings
  }
}

// The options that say which part of a suite runs, how often, and in which order.
extension ArgumentWords {
  func titles() throws(UsageProblem) -> TitleFilter {
    var filter = TitleFilter()
    for word in values(of: .grep) {
      if let problem = filter.add(word.text) { throw .badPattern(word, problem.message, line) }
    }
    return filter
  }

  func shard() throws(UsageProblem) -> ShardChoice? {
    guard let word = value(of: .shard) else {
      if let durations = value(of: .durations) { throw .durationsWithoutShard(durations, line) }
      return nil
    }
    guard let choice = ShardChoice(word.text) else { throw .badShard(word, line) }
    return choice
  }

  /// The choice of `--failed`, which may stand without a value.
  func failed() throws(UsageProblem) -> FailedChoice? {
    guard let word = value(of: .failed) else { return nil }
    return word.text.isEmpty ? .only : try choice(.failed)
  }

  func repetitions() throws(UsageProblem) -> Int {
    guard let word = value(of: .repeat) else { return 1 }
    guard let count = Int(word.text), (1...mostRepetitions).contains(count) else {
      throw .badRepetitions(word, line)
    }
    return count
  }

  func order() throws(UsageProblem) -> ShuffleChoice? {
    guard let word = value(of: .shuffle) else { return nil }
    if word.text.isEmpty { return .anew }
    guard let seed = UInt64(word.text) else { throw .badSeed(word, line) }
    return .seed(seed)
  }

  func read(into conditions: inout FailureConditions) throws(UsageProblem) {
    for word in values(of: .failOn) {
      let reason: FailureWord = try known(word)
      switch reason {
      case .warnings: conditions.warnings = true
      case .flaky: conditions.flaky = true
      case .doubts: conditions.doubts = true
      }
    }
  }
}

extension UsageProblem {
  fileprivate static func badPattern(
    _ word: ArgumentWords.Word, _ message: String, _ line: CommandLineText
  ) -> UsageProblem {
    badValue(
      word, message, line,
      help: "`--grep` takes a regular expression; put `\\` before a sign that is meant as it stands"
    )
  }

  fileprivate static func badShard(
    _ word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    badValue(
      word, "`\(word.text)` is no part of a whole", line,
      help: "write `--shard 2/5` for the second of five parts, at most \(SuiteShard.mostParts)")
  }

  fileprivate static func durationsWithoutShard(
    _ word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    badValue(
      word, "durations balance the parts of `--shard`, which is not given", line,
      help: "add `--shard 1/4`, or leave `--durations` out")
  }

  fileprivate static func badRepetitions(
    _ word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    badValue(
      word, "`--repeat` takes a whole number from 1 to \(mostRepetitions)", line,
      help: "write `--repeat 100`")
  }
}
