import Diagnostics

/// A command line that cannot be understood. The program ends with `ExitCode.badInput`.
struct UsageProblem: Error, Equatable {
  var diagnostic: Diagnostic
  var line: CommandLineText

  /// Returns the complaint as it is shown, with the command line as its source text.
  func rendered(style: DiagnosticStyle = DiagnosticStyle()) -> String {
    var sources = SourceMap()
    _ = sources.add(SourceFile(path: "<command line>", text: line.text))
    return render(diagnostic, in: sources, style: style)
  }

  /// Creates a complaint with labels at arguments, the first as the main one; -1 is the program's
  /// name.
  private init(
    _ id: DiagnosticID, _ message: String, at positions: [Int], _ line: CommandLineText,
    words: [String] = [], help: String? = nil
  ) {
    self.line = line
    let labels = positions.enumerated().map { number, position in
      let bytes = line.ranges.indices.contains(position) ? line.ranges[position] : 0..<8
      let range = SourceRange(
        file: 0, start: Int32(clamping: bytes.lowerBound), end: Int32(clamping: bytes.upperBound))
      return Diagnostic.Label(range, words.indices.contains(number) ? words[number] : "")
    }
    diagnostic = Diagnostic(id, message, labels: labels, help: help)
  }
}

/// Options of other tools, with the name of the same option here.
private let optionsOfOtherTools = [
  "j": "jobs", "n": "jobs", "filter": "grep", "k": "grep", "name": "grep", "o": "format",
  "reporter": "format", "report": "format", "e": "var", "D": "var", "tags": "tag",
  "variable": "var", "t": "grep", "title": "grep", "parallel": "jobs", "workers": "jobs",
  "concurrency": "jobs", "threads": "jobs", "bail": "fail-fast", "x": "fail-fast",
  "stop-on-failure": "fail-fast", "last-failed": "failed", "lf": "failed",
  "only-failures": "failed", "silent": "quiet", "u": "update", "update-snapshots": "update",
  "updateSnapshot": "update",
  "randomize": "shuffle", "timeout": "max-time", "variables-file": "vars-file", "p": "port",
]

/// The text to write for options of other tools without a single counterpart.
private let helpForOptions = [
  "no-color": "color never", "color-off": "color never", "mock": "against mock",
  "real": "against real", "xml": "format junit", "json": "format json", "html": "format html",
  "watch-all": "watch", "watchAll": "watch",
]

/// The commands of other tools, with the same command here.
private let commandsOfOtherTools = [
  "test": "run", "exec": "run", "start": "serve", "server": "serve", "mock": "serve",
  "lint": "validate", "format": "fmt", "version": "--version", "record": "run --record",
  "new": "init", "ls": "list", "completion": "completions",
]

private func didYouMean(_ name: String?) -> String? { name.map { "did you mean `\($0)`?" } }

private func listed(_ names: [String]) -> String {
  names.map { "`\($0)`" }.joined(separator: ", ")
}

extension UsageProblem {
  static func unknownCommand(_ line: CommandLineText) -> UsageProblem {
    let name = line.argument(at: 0) ?? ""
    let names = Verb.allCases.map(\.rawValue)
    let looksLikePath = name.contains("/") || name.contains(".yaml") || name.contains(".yml")
    let known = "commands are \(listed(names))"
    return UsageProblem(
      "unknown-command", "there is no command `\(name)`", at: [0], line,
      help: looksLikePath
        ? "to run scenarios, write `rehearse run \(name)`"
        : name == "help"
          ? "write `rehearse --help`, or `rehearse run --help` for one command"
          : commandsOfOtherTools[name].map { "write `rehearse \($0)`" }
            ?? didYouMean(nearestName(to: name, among: names)) ?? known)
  }

  static func optionBeforeCommand(_ line: CommandLineText) -> UsageProblem {
    let first = line.argument(at: 0)
    if first == "-v" || first == "-V" {
      return UsageProblem(
        "option-before-command", "options come after their command", at: [0], line,
        help: "write `rehearse --version` for the version, `rehearse run -v` for a longer report")
    }
    return UsageProblem(
      "option-before-command", "options come after their command", at: [0], line,
      help: "begin with one of \(listed(Verb.allCases.map(\.rawValue)))")
  }

  static func unknownOption(
    _ name: String, at position: Int, of page: VerbPage, _ line: CommandLineText
  ) -> UsageProblem {
    let verb = page.verb.rawValue
    let letters = String(name.drop { $0 == "-" })
    let known = page.allOptions.map(\.name.rawValue)
    let nearest =
      optionsOfOtherTools[letters].flatMap { known.contains($0) ? $0 : nil }
      ?? nearestName(to: letters, among: known)
    let words = helpForOptions[letters].flatMap { words in
      known.contains { words.split(separator: " ").first.map(String.init) == $0 } ? words : nil
    }
    let help = "`rehearse \(verb) --help` lists the options there are"
    return UsageProblem(
      "unknown-option", "`\(verb)` has no option `\(name)`", at: [position], line,
      help: words.map { "write `--\($0)`" } ?? didYouMean(nearest.map { "--" + $0 }) ?? help)
  }

  static func missingValue(
    of entry: OptionEntry, at position: Int, _ line: CommandLineText
  ) -> UsageProblem {
    let name = "--" + entry.name.rawValue
    let value = entry.value ?? ""
    return UsageProblem(
      "option-needs-value", "`\(name)` needs a value", at: [position], line,
      help: "write `\(name) \(value)`; a value that begins with `--` as `\(name)=VALUE`")
  }

  static func needlessValue(
    of entry: OptionEntry, at position: Int, _ line: CommandLineText
  ) -> UsageProblem {
    UsageProblem(
      "option-takes-no-value", "`--\(entry.name.rawValue)` takes no value", at: [position], line,
      help: "write `--\(entry.name.rawValue)` alone")
  }

  static func givenTwice(
    _ entry: OptionEntry, first: Int, again: Int, _ line: CommandLineText
  ) -> UsageProblem {
    UsageProblem(
      "option-given-twice", "`--\(entry.name.rawValue)` may be given once", at: [again, first],
      line, words: ["given again", "first here"], help: "keep one of them")
  }

  static func unexpectedArgument(
    _ word: ArgumentWords.Word, of page: VerbPage, _ line: CommandLineText
  ) -> UsageProblem {
    UsageProblem(
      "unexpected-argument", "`\(page.verb.rawValue)` takes no more arguments",
      at: [word.position], line, help: "usage: \(usageLine(of: page))")
  }

  static func missingOperand(of page: VerbPage, _ line: CommandLineText) -> UsageProblem {
    UsageProblem(
      "missing-argument", "`\(page.verb.rawValue)` needs \(page.operands)", at: [0], line,
      help: "usage: \(usageLine(of: page))")
  }
}

extension UsageProblem {
  /// - Parameter part: The part of the word that is wrong; nil for all of it.
  static func badValue(
    _ word: ArgumentWords.Word, _ message: String, _ line: CommandLineText,
    at part: Range<String.Index>? = nil, help: String? = nil
  ) -> UsageProblem {
    var problem = UsageProblem("bad-option-value", message, at: [word.position], line, help: help)
    if let bytes = part.flatMap({ line.bytes(of: $0, in: word) }) {
      problem.diagnostic.labels[0].range = SourceRange(
        file: 0, start: Int32(clamping: bytes.lowerBound), end: Int32(clamping: bytes.upperBound))
    }
    return problem
  }

  static func badChoice(
    _ word: ArgumentWords.Word, named name: String? = nil, of known: [String],
    _ line: CommandLineText
  ) -> UsageProblem {
    let name = name ?? word.text
    return badValue(
      word, "`\(name)` is none of \(listed(known))", line,
      help: didYouMean(nearestName(to: name, among: known)))
  }

  static func badSelector(
    _ word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    UsageProblem(
      "bad-selector", "a selector is a path, with a line, a title or a row",
      at: [word.position], line,
      help: "write PATH, FILE:LINE (from 1), FILE::TITLE or FILE::TITLE::ROW")
  }

  static func emptyTag(_ word: ArgumentWords.Word, _ line: CommandLineText) -> UsageProblem {
    badValue(
      word, "a tag has a name", line,
      help: "write `--tag NAME`, or `--tag '!NAME'` to leave scenarios out")
  }

  static func badVariable(_ word: ArgumentWords.Word, _ line: CommandLineText) -> UsageProblem {
    badValue(
      word, "a variable is set by its name, `=` and a value", line,
      help: "write `--var NAME=VALUE`")
  }

  static func badSeed(_ word: ArgumentWords.Word, _ line: CommandLineText) -> UsageProblem {
    badValue(
      word, "a seed is a whole number below 2^64", line,
      help: "write it decimal, or hexadecimal with 0x before it, like 0x7f")
  }

  static func badNumber(
    _ word: ArgumentWords.Word, _ name: OptionName, _ range: ClosedRange<Int>, _ unit: String,
    _ line: CommandLineText
  ) -> UsageProblem {
    badValue(
      word,
      "`--\(name.rawValue)` is a whole number\(unit) from \(range.lowerBound) to "
        + "\(range.upperBound)", line)
  }

  static func badPort(_ word: ArgumentWords.Word, _ line: CommandLineText) -> UsageProblem {
    badValue(
      word, "a port is a whole number from 1 to 65535", line,
      help: "write `--port PORT`, or `--port NAME=PORT` for one of several endpoints")
  }

  static func twoReportsInOneFile(
    _ word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    UsageProblem(
      "two-reports-in-one-file", "this file already receives another report", at: [word.position],
      line, help: "write each report to a file of its own")
  }

  static func badTimeout(_ word: ArgumentWords.Word, _ line: CommandLineText) -> UsageProblem {
    badValue(
      word, "`\(word.text)` is not a duration", line,
      help: "write a number and a unit, like 300ms, 30s or 5m")
  }

  static func certificateWithoutTLS(
    _ word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    badValue(
      word, "only `--tls` makes a certificate", line,
      help: "add `--tls`, or leave `--cert-out` out")
  }

  static func badProxy(
    _ word: ArgumentWords.Word, _ message: String, _ line: CommandLineText
  ) -> UsageProblem {
    badValue(word, message, line)
  }

  static func missingReportPath(
    _ word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    badValue(
      word, "the name of a file comes after `=`", line,
      help: "write `--format \(word.text)FILE`, or leave `=` out to print the report")
  }

  static func noListing(_ word: ArgumentWords.Word, _ line: CommandLineText) -> UsageProblem {
    badValue(
      word, "a dry run prints a list, and writes no report", line,
      help: "write `--format json` for a list as JSON, or leave `--format` out")
  }

  static func twoReportsShown(
    _ first: ArgumentWords.Word, _ again: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    let format = again.text.prefix { $0 != "=" }
    return UsageProblem(
      "two-reports-shown", "one report goes to standard output",
      at: [again.position, first.position], line, words: ["so does this one", "this one does"],
      help: "write one of them to a file: `--format \(format)=FILE`")
  }

  static func contradiction(
    _ one: ArgumentWords.Word, _ other: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    let (first, last) = (min(one.position, other.position), max(one.position, other.position))
    return UsageProblem(
      "options-contradict", "two options contradict each other",
      at: first == last ? [last] : [last, first], line,
      words: first == last ? [] : ["this one", "and this one"], help: "keep one of them")
  }

  static func worldNotThere(
    _ text: String, _ word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    UsageProblem(
      "world-not-available", "there is no world `\(text)`", at: [word.position],
      line,
      help: "worlds are \(listed(WorldChoice.allCases.map(\.rawValue) + ["trace:FILE"]))")
  }

  static func worldChosenTwice(
    _ endpoint: String?, _ word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    let what = endpoint.map { "`\($0)`" } ?? "all other endpoints"
    return UsageProblem(
      "world-not-available", "`--against` chooses two worlds for \(what)", at: [word.position],
      line, help: "keep one of them; `NAME=WORLD` is for one endpoint")
  }

  static func twoTraces(_ word: ArgumentWords.Word, _ line: CommandLineText) -> UsageProblem {
    UsageProblem(
      "world-not-available", "`--against` names two traces", at: [word.position], line,
      help: "put the traces into one folder, and name the folder")
  }

  static func traceOfWorldMissing(
    _ word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    UsageProblem(
      "world-not-available", "`--against trace` does not say which trace", at: [word.position],
      line, help: "write `--against trace:FILE`, with a trace or a folder of traces")
  }
}

// The actions of `trace`.
extension UsageProblem {
  static func missingPart(of usage: String, _ line: CommandLineText) -> UsageProblem {
    UsageProblem(
      "missing-argument", "`trace \(usage)` is not complete", at: [1], line,
      help: "write `rehearse trace \(usage)`")
  }

  static func optionOfAnother(
    _ name: OptionName, _ word: ArgumentWords.Word, than action: String, _ line: CommandLineText
  ) -> UsageProblem {
    UsageProblem(
      "unknown-option", "`trace \(action)` has no option `--\(name.rawValue)`",
      at: [word.position], line, help: "`rehearse trace --help` lists the options of each action")
  }

  static func learnsOnly(
    _ word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    badValue(
      word, "`--learn` compares two recordings and replays nothing", line,
      help: "leave `--update` and `--until` out, and replay the trace afterwards")
  }

  static func thenWithoutMoment(
    _ word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    badValue(
      word, "`--then` goes on from a recorded event", line, help: "say which: `--until EVENT`")
  }

  static func badEvent(_ word: ArgumentWords.Word, _ line: CommandLineText) -> UsageProblem {
    badValue(
      word, "an event is given by its number", line,
      help: "the number is the member `n` of its line")
  }

  static func updateWithoutBaseline(
    _ update: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    UsageProblem(
      "missing-argument", "`--update` writes the failures of a sweep into its baseline",
      at: [update.position], line, help: "name the file as well: `--baseline FILE --update`")
  }

  /// Two operands that lead to standard input. The first one would get all of it.
  static func inputTwice(
    _ one: ArgumentWords.Word, _ other: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    UsageProblem(
      "input-named-twice", "standard input can be read only once",
      at: [one.position, other.position], line, words: ["read here", "and here again"],
      help: "write one of them into a file, and name it")
  }

  static func badRun(_ word: ArgumentWords.Word, _ line: CommandLineText) -> UsageProblem {
    badValue(
      word, "`--run` is a whole number from 1", line,
      help: "the number is the member `run` of the header")
  }
}
