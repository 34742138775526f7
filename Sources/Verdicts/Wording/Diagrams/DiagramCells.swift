import Diagnostics
import ScenarioPlan
import Values

/// A diagram as written, cut into the pieces that take time: characters, groups, and durations
/// between spaces.
struct DiagramCells {
  /// A piece of the diagram that takes time.
  struct Cell {
    /// The time since the diagram's first tick, or since its `^`.
    var start: Microseconds
    var length: Microseconds
    /// The piece's place in the diagram, in bytes.
    var place: Range<Int>
  }

  private(set) var cells: [Cell] = []
  private let tick: Microseconds
  /// The diagram's length in bytes.
  private let length: Int
  private var isInGroup = false
  private var zero: Microseconds?

  /// `hasZero` where `^` is the diagram's zero, and not a subscription.
  init(_ diagram: String, tick: Microseconds, hasZero: Bool) {
    self.tick = tick
    length = diagram.utf8.count
    for word in diagram.split(whereSeparator: \.isWhitespace) {
      add(word, at: diagram.utf8.distance(from: diagram.utf8.startIndex, to: word.startIndex))
    }
    if hasZero, let zero {
      for cell in cells.indices { cells[cell].start -= zero }
    }
  }

  /// The time of the last tick.
  var end: Microseconds { max(0, next - tick) }

  private var next: Microseconds { cells.last.map { later($0.start, by: $0.length) } ?? 0 }

  private mutating func add(_ word: Substring, at position: Int) {
    if word.first?.isNumber == true, case .success(let duration) = parseDuration(String(word)) {
      append(duration, position..<position + word.utf8.count)
      return
    }
    var start = position
    for character in word {
      let last = start + character.utf8.count
      if isInGroup {
        cells[cells.count - 1].place = cells[cells.count - 1].place.lowerBound..<last
      } else {
        if character == "^", zero == nil { zero = next }
        append(tick, start..<last)
      }
      if character == "(" { isInGroup = true }
      if character == ")" { isInGroup = false }
      start = last
    }
  }

  private mutating func append(_ length: Microseconds, _ place: Range<Int>) {
    cells.append(Cell(start: next, length: length, place: place))
  }

  /// The piece a time falls into, in the text the diagram was read from, which may be quoted
  /// there; the whole where the two cannot be laid side by side.
  func range(at time: Microseconds, in whole: SourceRange) -> SourceRange {
    let quotes = Int(whole.end - whole.start) - length
    let found = cells.last { $0.start <= time } ?? cells.first
    guard quotes == 0 || quotes == 2, let place = found?.place else { return whole }
    let start = whole.start + Int32(quotes / 2)
    return SourceRange(
      file: whole.file, start: start + Int32(place.lowerBound),
      end: start + Int32(place.upperBound))
  }
}

extension MarblePlan {
  /// True if the diagram has silences that are written as durations.
  var writesDurations: Bool {
    diagram.value.split(whereSeparator: \.isWhitespace).contains { word in
      guard word.first?.isNumber == true, case .success = parseDuration(String(word)) else {
        return false
      }
      return true
    }
  }
}
