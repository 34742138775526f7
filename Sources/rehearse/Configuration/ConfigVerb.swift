import Diagnostics
import Glibc
import ScenarioPlan
import ScenarioRuns
import ScenarioSpec
import Values

/// Prints the configuration that holds for a file or a folder, with the origin of each value.
func configVerb(_ arguments: ConfigArguments) -> ExitCode {
  let style = arguments.color.complaintStyle
  var status = stat()
  guard stat(arguments.path, &status) == 0 else {
    Terminal.complain([.noSuchFile(arguments.path)], style)
    return .badInput
  }
  let isFolder = status.st_mode & S_IFMT == S_IFDIR
  let given = GivenInputs(environment: arguments.environment)
  let path = place(inFolderOf: arguments.path, isFolder: isFolder)
  let configurations = Configurations(of: [".", path], inputs: loadInputs(given).value)
  if configurations.complain(style) { return .badInput }
  let values = configuredValues(
    ofCommands: configurations.configuration(of: "."),
    ofScenarios: configurations.configuration(of: path), arguments.replaced)
  return Terminal.show(text(of: values, arguments.format), as: arguments.format.form)
}

/// Returns a path in the folder that is asked about. A configuration holds for its own folder.
private func place(inFolderOf path: String, isFolder: Bool) -> String {
  if isFolder { return path + "/scenario" }
  guard isConfiguration(path) else { return path }
  return path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    .joined(separator: "/") + (path.contains("/") ? "/scenario" : "scenario")
}

/// A key with the value that holds.
private struct ConfiguredValue {
  enum Origin {
    case file(path: String, line: Int)
    case option(OptionName)
    case usual
  }

  var key: String
  var value: Value
  var origin: Origin
}

/// The keys that only the folder of the command decides.
private func isOfCommand(_ key: String) -> Bool {
  key == "paths" || key == "tags" || key.hasPrefix("reports.") || key.hasPrefix("limits.")
}

private func configuredValues(
  ofCommands here: Configuration, ofScenarios there: Configuration,
  _ replaced: [ConfigArguments.Replaced]
) -> [ConfiguredValue] {
  var values = defaults
  func put(_ value: ConfiguredValue) {
    if let known = values.firstIndex(where: { $0.key == value.key }) {
      values[known] = value
    } else {
      values.append(value)
    }
  }
  for (configuration, ofCommand) in [(here, true), (there, false)] {
    for entry in configuration.document.entries where isOfCommand(entry.name) == ofCommand {
      guard let place = configuration.place(of: entry.range) else { continue }
      let shown = entry.isSecret ? .string("***") : configuration.mask.masked(entry.value)
      put(
        ConfiguredValue(
          key: entry.name, value: shown, origin: .file(path: place.path, line: place.line)))
    }
  }
  for option in replaced {
    let isSecret = there.document.entries.contains { $0.name == option.key && $0.isSecret }
    let text = isSecret ? "***" : there.mask.masked(option.text)
    put(
      ConfiguredValue(key: option.key, value: .string(text), origin: .option(option.option)))
  }
  return values.sorted { $0.key < $1.key }
}

/// The values that hold where nothing is written.
private let defaults = [
  ("paths", Value.list([.string(defaultScenarioPath)])), ("tags", .list([])),
  ("against", .string("mock")), ("reports.human", .string("-")),
  ("limits.jobs", .int(processorCount())), ("limits.retries", .int(0)),
  ("limits.maxTime", .null), ("limits.deadline", .null), ("limits.logLimit", .int(256)),
  ("timeout", .string(durationText(ScenarioPlan.defaultTimeout))),
  ("clock", .string(ClockPlan.usual.beginning(machine: nil).text)),
  ("seed", .int(Suite.defaultSeed)),
].map { ConfiguredValue(key: $0.0, value: $0.1, origin: .usual) }

private func text(of values: [ConfiguredValue], _ format: ListingFormat) -> String {
  switch format {
  case .json: return Value.list(values.map(\.json)).json(pretty: true) + "\n"
  case .ndjson: return values.map { $0.json.json() + "\n" }.joined()
  case .human:
    let keys = values.map(\.key.count).max() ?? 0
    let origins = values.map(\.originText.count).max() ?? 0
    return values.map { value in
      visibleText(value.key.padded(to: keys)) + "  "
        + visibleText(value.originText.padded(to: origins)) + "  "
        + visibleText(value.valueText) + "\n"
    }.joined()
  }
}

/// The most characters of a value that people see.
private let longestValue = 100

extension ConfiguredValue {
  fileprivate var originText: String {
    switch origin {
    case .file(let path, let line): "\(path):\(line)"
    case .option(let name): "--\(name.rawValue)"
    case .usual: "default"
    }
  }

  fileprivate var valueText: String {
    let text =
      switch value {
      case .string(let text): text
      case .null: "none"
      default: value.json()
      }
    return text.count > longestValue ? text.prefix(longestValue - 1) + "…" : text
  }

  fileprivate var json: Value {
    var map = ValueMap()
    map["key"] = .string(key)
    map["value"] = value
    switch origin {
    case .file(let path, let line):
      map["from"] = .string("file")
      map["path"] = .string(path)
      map["line"] = .int(line)
    case .option(let name):
      map["from"] = .string("option")
      map["option"] = .string(name.rawValue)
    case .usual: map["from"] = .string("default")
    }
    return .map(map)
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
