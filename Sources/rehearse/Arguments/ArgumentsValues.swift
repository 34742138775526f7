import Diagnostics
import Protocols
import Reports
import ScenarioRuns
import ScenarioSpec
import Values

/// The most jobs at once; more would only wait for each other.
let mostJobs = 1024
/// The largest limit of a log, in megabytes.
let largestLogLimit = 1_000_000
/// The most times a scenario may be run again.
let mostRetries = 100

extension RunArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    scenarios = try words.scenarios()
    variables = try words.variables()
    variableFiles = words.values(of: .variableFile).map(\.text)
    environmentFiles = words.values(of: .environmentFile).map(\.text)
    seed = try words.seed()
    jobs = try words.jobs()
    failsFast = words.has(.failFast)
    retries = try words.retries()
    let conditions = try words.failureConditions()
    failsOnFlaky = words.has(.failOnFlaky) || conditions.flaky
    failsOnWarnings = conditions.warnings
    isStrict = conditions.isStrict
    showsCoverage = words.has(.coverage)
    slowestShown = try words.count(.slowest, atLeast: 1)
    answerLines = try words.count(.answerLines, atLeast: 0)
    logLimit = try words.logLimit()
    update = try words.update()
    reports = try words.reports()
    showsCredentials = try words.showsCredentials(in: reports)
    color = try words.choice(.color) ?? .auto
    detail = try words.detail()
    showsWallTimes = !words.has(.noWallTimes)
    finallyTime = try words.finallyTime()
    world = try words.world()
    try words.refuseInputBesideWorld()
    disturbances = try words.disturbances()
    log = words.log()
    try words.refuseReportBesideLog()
    record = try words.record()
    htmlEvents = try words.choice(.htmlEvents)
    repetitions = try words.repetitions()
    shuffle = try words.order()
    isDryRun = words.has(.dryRun)
    if isDryRun { listing = try words.listing() }
    maxTime = try words.time(.maxTime)
    deadline = try words.time(.deadline)
    watches = words.has(.watch)
    given = Set(words.options.map(\.entry.name))
  }
}

extension ValidateArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    scenarios = try words.scenarios()
    format = try words.choice(.format) ?? .human
    color = try words.choice(.color) ?? .auto
  }
}

extension ListArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    scenarios = try words.scenarios()
    format = try words.choice(.format) ?? .human
    color = try words.choice(.color) ?? .auto
  }
}

extension SchemaArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    kind = nil
    if let word = words.operands.first {
      guard let known = SchemaKind(rawValue: word.text) else {
        throw .badChoice(word, of: SchemaKind.allCases.map(\.rawValue), words.line)
      }
      kind = known
    }
    switch (words.value(of: .write), words.value(of: .check)) {
    case (let write?, let check?): throw .contradiction(write, check, words.line)
    case (let write?, nil): destination = .write(directory: write.text)
    case (nil, let check?): destination = .check(directory: check.text)
    case (nil, nil): destination = .standardOutput(kind ?? .scenario)
    }
  }
}

extension ExplainArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) { name = words.operands.first?.text }
}

extension InitArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    directory = words.operands.first?.text ?? defaultScenarioPath
  }
}

extension EvalArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    expression = words.operands.first?.text ?? ""
    variables = try words.variables()
    color = try words.choice(.color) ?? .auto
  }
}

extension ArgumentWords {
  /// The value of an option that takes one of a few words.
  func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ name: OptionName
  ) throws(UsageProblem) -> Choice? {
    guard let word = value(of: name) else { return nil }
    guard let known = Choice(rawValue: word.text) else {
      throw .badChoice(word, of: Choice.allCases.map(\.rawValue), line)
    }
    return known
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

  func jobs() throws(UsageProblem) -> Int? {
    guard let word = value(of: .jobs) else { return nil }
    guard let jobs = Int(word.text), (1...mostJobs).contains(jobs) else {
      throw .badJobs(word, line)
    }
    return jobs
  }

  /// The limit of a log in bytes, given in megabytes.
  func logLimit() throws(UsageProblem) -> Int? {
    guard let word = value(of: .logLimit) else { return nil }
    guard let megabytes = Int(word.text), (1...largestLogLimit).contains(megabytes) else {
      throw .badLogLimit(word, line)
    }
    return megabytes * 1_000_000
  }

  func retries() throws(UsageProblem) -> Int {
    guard let word = value(of: .retries) else { return 0 }
    guard let retries = Int(word.text), (0...mostRetries).contains(retries) else {
      throw .badRetries(word, line)
    }
    return retries
  }

  func finallyTime() throws(UsageProblem) -> Microseconds {
    try time(.finallyTime) ?? Interruption.defaultFinallyTime
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
    switch (value(of: .verbose), value(of: .quiet)) {
    case (let verbose?, let quiet?): throw .contradiction(verbose, quiet, line)
    case (.some, nil): .verbose
    case (nil, .some): .quiet
    case (nil, nil): .normal
    }
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
