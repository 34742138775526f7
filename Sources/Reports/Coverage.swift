import Diagnostics
import Values
import Verdicts

/// The parts of all stages of a suite, and those that no scenario has reached.
///
/// A part of a component is one part, however many scenarios use the component.
package struct Coverage: Sendable {
  private struct Place: Hashable {
    var path: String
    var line: Int
    var column: Int
    var kind: CoveredPart.Kind
  }

  private var places: [Place: Int] = [:]
  private var parts: [CoveredPart] = []

  package init() {}

  /// Adds what one run has reached.
  package mutating func add(_ run: [CoveredPart]) {
    for part in run {
      let place = Place(path: part.path, line: part.line, column: part.column, kind: part.kind)
      if let index = places[place] {
        parts[index].isReached = parts[index].isReached || part.isReached
      } else {
        places[place] = parts.count
        parts.append(part)
      }
    }
  }

  /// The number of parts of one kind.
  struct Count: Equatable {
    var kind: CoveredPart.Kind
    var all: Int
    var reached: Int
  }

  /// The numbers of the kinds that there are.
  var counts: [Count] {
    CoveredPart.Kind.allCases.compactMap { kind in
      let ofKind = parts.filter { $0.kind == kind }
      if ofKind.isEmpty { return nil }
      return Count(kind: kind, all: ofKind.count, reached: ofKind.count(where: \.isReached))
    }
  }

  /// The parts that no run has reached, file by file.
  var unreached: [CoveredPart] { sorted.filter { !$0.isReached } }

  /// All parts, file by file.
  var sorted: [CoveredPart] {
    parts.sorted {
      ($0.path, $0.line, $0.column, $0.part) < ($1.path, $1.line, $1.column, $1.part)
    }
  }

  /// The numbers in one line: `7 of 8 routes, 5 of 5 actions`.
  var summary: String {
    let kinds = counts.map { "\($0.reached) of \($0.all) \($0.kind.plural)" }
    return kinds.isEmpty ? "nothing" : kinds.joined(separator: ", ")
  }
}

/// The parts that a report lists, if it does not list all.
private let unreachedListed = 30

/// Returns what no scenario has reached, for people, and how much of each kind was reached.
package func humanCoverage(_ coverage: Coverage, detail: Detail = .normal) -> String {
  let unreached = coverage.unreached
  let listed = detail == .verbose ? unreached[...] : unreached.prefix(unreachedListed)
  var text = listed.map { part in
    "not reached: \(visibleText("\(part.path):\(part.line)"))  \(visibleText(part.part))\n"
  }.joined()
  if listed.count < unreached.count {
    text += "not reached: \(unreached.count - listed.count) more; -v lists them\n"
  }
  return text + "coverage: \(coverage.summary)\n"
}

extension CoveredPart.Kind {
  fileprivate var plural: String {
    switch self {
    case .route: "routes"
    case .entry: "stream entries"
    case .action: "actions"
    case .computed: "computed nodes"
    case .branch: "branches"
    case .invariant: "invariants"
    }
  }

  fileprivate var member: String {
    switch self {
    case .route: "routes"
    case .entry: "entries"
    case .action: "actions"
    case .computed: "computed"
    case .branch: "branches"
    case .invariant: "invariants"
    }
  }
}

extension JSONWriter {
  mutating func addCoverage(_ coverage: Coverage?) {
    guard let coverage else { return }
    member("coverage") { writer in
      writer.object {
        for count in coverage.counts {
          $0.member(count.kind.member) { writer in
            writer.object {
              $0.member("all", count.all)
              $0.member("reached", count.reached)
            }
          }
        }
        $0.member("unreached", listOf: coverage.unreached) { writer, part in
          writer.object { $0.add(part) }
        }
      }
    }
  }

  /// Adds all parts, so that the coverage of several parts of a suite can be joined.
  mutating func addCoveredParts(_ coverage: Coverage?) {
    guard let coverage else { return }
    member("coveredParts", listOf: coverage.sorted) { writer, part in
      writer.object {
        $0.member("kind", part.kind.rawValue)
        $0.add(part)
        $0.member("column", part.column)
        $0.member("reached") { $0.raw("\(part.isReached)") }
      }
    }
  }

  private mutating func add(_ part: CoveredPart) {
    member("part", part.part)
    member("path", part.path)
    member("line", part.line)
  }
}

extension CoveredPart {
  /// Reads a part of a report; nil for a kind of a later version.
  init?(_ value: Value) {
    guard let kind = Kind(rawValue: value.text("kind") ?? "") else { return nil }
    self.init(
      kind, part: value.text("part") ?? "", path: value.text("path") ?? "",
      line: value.number("line") ?? 0, column: value.number("column") ?? 0,
      isReached: value["reached"] == .bool(true))
  }
}
