import Diagnostics
import ScenarioRuns

/// The most lines or scenarios that an option asks to be shown.
let mostShown = 100_000
/// The most times that `--repeat` runs a scenario.
let mostRepetitions = 1_000_000

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

  /// A number of things that a report shows.
  func count(_ name: OptionName, atLeast least: Int) throws(UsageProblem) -> Int? {
    guard let word = value(of: name) else { return nil }
    guard let count = Int(word.text), (least...mostShown).contains(count) else {
      throw .badCount(word, name, least: least, line)
    }
    return count
  }

  func order() throws(UsageProblem) -> ShuffleChoice? {
    guard let word = value(of: .shuffle) else { return nil }
    if word.text.isEmpty { return .anew }
    guard let seed = UInt64(word.text) else { throw .badSeed(word, line) }
    return .seed(seed)
  }

  func failureConditions() throws(UsageProblem) -> FailureConditions {
    var conditions = FailureConditions()
    conditions.isStrict = has(.strict)
    for word in values(of: .failOn) {
      switch FailureWord(rawValue: word.text) {
      case .warnings: conditions.warnings = true
      case .flaky: conditions.flaky = true
      case nil: throw .badChoice(word, of: FailureWord.allCases.map(\.rawValue), line)
      }
    }
    return conditions
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
