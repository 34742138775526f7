import Glibc
import TextSearch
import Values

/// The benchmarks that show what a change did to the speed, if none are named.
private let mainBenchmarks = ["suite", "load", "streams", "graph", "operators", "http"]
/// The number of pairs of runs, if none is given.
private let usualRounds = 5

/// Runs benchmarks of two builds of this program in turns, and prints a table of their figures.
///
/// Usage: `Benchmarks compare OLD NEW [NAME…] [--rounds N]`.
func comparePrograms(_ arguments: [String]) -> Int32 {
  guard let request = Comparison(arguments) else {
    print("usage: Benchmarks compare OLD NEW [NAME…] [--rounds N]")
    return 2
  }
  var figures: [PairedFigure] = []
  for name in request.names {
    for round in 0..<request.rounds {
      guard let (old, new) = request.measure(name, isNewFirst: !round.isMultiple(of: 2)) else {
        print("`\(name)` did not run in both programs")
        return 1
      }
      add(old, new, to: &figures)
    }
  }
  let width = figures.map(\.name.count).max() ?? 0
  for figure in figures { print(figure.line(nameWidth: width)) }
  return 0
}

/// What is compared.
private struct Comparison {
  let old: String
  let new: String
  let names: [String]
  let rounds: Int

  init?(_ arguments: [String]) {
    var words = arguments
    var rounds = usualRounds
    if let option = words.firstIndex(of: "--rounds") {
      guard words.indices.contains(option + 1), let count = Int(words[option + 1]), count > 0
      else { return nil }
      rounds = count
      words.removeSubrange(option...option + 1)
    }
    guard words.count >= 2 else { return nil }
    old = words[0]
    new = words[1]
    names = words.count == 2 ? mainBenchmarks : Array(words.dropFirst(2))
    self.rounds = rounds
  }

  /// Measures a pair. The first of two runs may find a colder machine, so that they take turns.
  func measure(_ name: String, isNewFirst: Bool) -> (old: [Figure], new: [Figure])? {
    let first = output(of: [isNewFirst ? new : old, name]).map(figures)
    let second = output(of: [isNewFirst ? old : new, name]).map(figures)
    guard let first, let second else { return nil }
    return isNewFirst ? (second, first) : (first, second)
  }
}

/// A figure as a benchmark prints it.
private struct Figure {
  var name: String
  var value: Double
  var unit: String

  init?(line: Substring) {
    guard case .success(let json) = parseJSON(Array(line.utf8)),
      case .string(let benchmark)? = json["benchmark"], case .string(let figure)? = json["figure"],
      case .string(let unit)? = json["unit"]
    else { return nil }
    switch json["value"] {
    case .int(let value)?: self.value = Double(value)
    case .double(let value)?: self.value = value
    default: return nil
    }
    let subject = if case .string(let text)? = json["of"] { " \(text)" } else { "" }
    name = "\(benchmark) \(figure)\(subject)"
    self.unit = unit
  }
}

private func figures(_ output: String) -> [Figure] {
  output.split(separator: "\n").compactMap { Figure(line: $0) }
}

/// Adds a pair of runs; a figure that only one of them has is left out.
private func add(_ old: [Figure], _ new: [Figure], to figures: inout [PairedFigure]) {
  for before in old {
    guard let after = new.first(where: { $0.name == before.name }) else { continue }
    if !figures.contains(where: { $0.name == before.name }) {
      figures.append(PairedFigure(before.name, unit: before.unit))
    }
    for index in figures.indices where figures[index].name == before.name {
      figures[index].add(old: before.value, new: after.value)
    }
  }
}

/// Returns what a command prints; nil if it could not be started or failed.
private func output(of command: [String]) -> String? {
  let words = command.map(quoted).joined(separator: " ")
  guard let pipe = popen(words, "r") else { return nil }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4_096)
  while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
    bytes += buffer[..<count]
  }
  return pclose(pipe) == 0 ? String(decoding: bytes, as: UTF8.self) : nil
}

private func quoted(_ word: String) -> String {
  "'" + word.replacing("'", with: "'\\''") + "'"
}
