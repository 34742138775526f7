import Values

/// The parts of a diagram, with their places as bytes of its text.
struct MarbleScan {
  enum Mark: Equatable {
    case value(Character)
    case completion, failure, subscription, unsubscription
  }

  struct Moment {
    var mark: Mark
    /// The time since the diagram's zero: its first tick, or its `^`.
    var time: Microseconds
    var place: Range<Int>
  }

  var moments: [Moment] = []
  /// The time of the last tick.
  var end: Microseconds = 0
}

/// The reason why a text is no diagram, and the place in the text.
struct MarbleProblem: Error {
  enum Kind: Equatable {
    case empty, tooLong
    case unclosedGroup, groupInGroup, noGroupToClose, emptyGroup, tickInGroup, timeInGroup
    case afterEnd, afterUnsubscription
    case secondZero, zeroInCold, zeroInGroup
    case unsubscribesOutside, unsubscribesFirst
    case noSubscription(Character)
    case noSymbol(Character)
  }

  var kind: Kind
  var place: Range<Int>
  /// The place of the other mark.
  var other: Range<Int>?
}

/// The role of a diagram: what a stream plays, what is expected of one, or its subscriptions.
enum MarbleRole {
  case cold, hot, expected, subscription
}

/// Reads a diagram. Each character is a tick, a group takes one tick, blanks take none, and a
/// duration between blanks takes that time.
func scanMarble(_ text: String, tick: Microseconds, as role: MarbleRole)
  -> Result<MarbleScan, MarbleProblem>
{
  var scanner = MarbleScanner(text, tick: tick, role: role)
  do throws(MarbleProblem) { return .success(try scanner.scan()) } catch { return .failure(error) }
}

/// A character of a diagram.
private struct Letter {
  let character: Character
  let place: Range<Int>
  /// Its byte, by which nearly all are distinguished; 0 for others than ASCII.
  let byte: UInt8

  init(_ character: Character, at place: Range<Int>) {
    self.character = character
    self.place = place
    byte = place.count == 1 ? character.utf8.first ?? 0 : 0
  }

  /// True if the character is ignored in a diagram. A line may be folded.
  var isBlank: Bool {
    switch byte {
    case 0x09...0x0D, 0x20: true
    case 0: character.isNewline
    default: false
    }
  }

  var isNumber: Bool { byte == 0 ? character.isNumber : (0x30...0x39).contains(byte) }

  var isVisible: Bool { (0x21...0x7E).contains(byte) || character.isVisible }
}

/// A scanner of the characters of a diagram.
private struct MarbleScanner {
  private let characters: [Letter]
  private let length: Int
  private let tick: Microseconds
  private let role: MarbleRole
  private var position = 0
  private var time: Microseconds = 0
  /// The time of the diagram's `^`.
  private var zero: (time: Microseconds, place: Range<Int>)?
  private var group: Range<Int>?
  private var end: Range<Int>?
  private var isEmptyGroup = false
  private var result = MarbleScan()

  init(_ text: String, tick: Microseconds, role: MarbleRole) {
    var characters: [Letter] = []
    var offset = 0
    for character in text {
      let next = offset + character.utf8.count
      characters.append(Letter(character, at: offset..<next))
      offset = next
    }
    self.characters = characters
    length = offset
    self.tick = tick
    self.role = role
  }

  mutating func scan() throws(MarbleProblem) -> MarbleScan {
    var hasTicks = false
    while position < characters.count {
      if characters[position].isBlank {
        position += 1
        continue
      }
      hasTicks = true
      if let (duration, count) = duration() {
        try progress(by: duration, over: count)
      } else {
        try read(characters[position])
        position += 1
      }
    }
    guard hasTicks else { throw problem(.empty, 0..<length) }
    if let group { throw problem(.unclosedGroup, group) }
    return finished()
  }

  private func finished() -> MarbleScan {
    var result = result
    let start = zero?.time ?? 0
    for index in result.moments.indices { result.moments[index].time -= start }
    result.moments.removeAll { $0.time < 0 }
    result.end = max(0, time - tick - start)
    return result
  }

  private mutating func read(_ next: Letter) throws(MarbleProblem) {
    if let end, next.byte != UInt8(ascii: ")") || group == nil {
      throw problem(role == .subscription ? .afterUnsubscription : .afterEnd, next.place, end)
    }
    switch Unicode.Scalar(next.byte) {
    case "-": try tickAlone(next.place)
    case "(": try open(next.place)
    case ")": try close(next.place)
    case "^": try setZero(next.place)
    case "|": try add(.completion, next)
    case "#": try add(.failure, next)
    case "!": try add(.unsubscription, next)
    default:
      guard next.isVisible else { throw problem(.noSymbol(next.character), next.place) }
      try add(.value(next.character), next)
    }
  }

  private mutating func tickAlone(_ place: Range<Int>) throws(MarbleProblem) {
    if let group { throw problem(.tickInGroup, place, group) }
    try advance(place)
  }

  private mutating func open(_ place: Range<Int>) throws(MarbleProblem) {
    if let group { throw problem(.groupInGroup, place, group) }
    group = place
    isEmptyGroup = true
  }

  private mutating func close(_ place: Range<Int>) throws(MarbleProblem) {
    guard let opening = group else { throw problem(.noGroupToClose, place) }
    if isEmptyGroup { throw problem(.emptyGroup, opening.lowerBound..<place.upperBound) }
    group = nil
    try advance(place)
  }

  private mutating func setZero(_ place: Range<Int>) throws(MarbleProblem) {
    if role == .cold { throw problem(.zeroInCold, place) }
    if let zero { throw problem(.secondZero, place, zero.place) }
    if role == .subscription { return try add(.subscription, Letter("^", at: place)) }
    if group != nil { throw problem(.zeroInGroup, place) }
    zero = (time, place)
    try advance(place)
  }

  private mutating func add(
    _ mark: MarbleScan.Mark, _ next: Letter
  ) throws(MarbleProblem) {
    try check(mark, next)
    isEmptyGroup = false
    result.moments.append(.init(mark: mark, time: time, place: next.place))
    if mark == .completion || mark == .failure || mark == .unsubscription { end = next.place }
    if group == nil { try advance(next.place) }
  }

  /// Checks that marks of subscriptions are only in their diagrams, and nothing else is there.
  private func check(
    _ mark: MarbleScan.Mark, _ next: Letter
  ) throws(MarbleProblem) {
    switch mark {
    case .subscription:
      if let first = result.moments.first { throw problem(.secondZero, next.place, first.place) }
    case .unsubscription:
      if role != .subscription { throw problem(.unsubscribesOutside, next.place) }
      if result.moments.isEmpty { throw problem(.unsubscribesFirst, next.place) }
    case .value, .completion, .failure:
      if role == .subscription { throw problem(.noSubscription(next.character), next.place) }
    }
  }

  // MARK: - time

  private mutating func advance(_ place: Range<Int>) throws(MarbleProblem) {
    try pass(tick, place)
  }

  private mutating func pass(_ length: Microseconds, _ place: Range<Int>) throws(MarbleProblem) {
    let (sum, overflow) = time.addingReportingOverflow(length)
    if overflow || sum < 0 { throw problem(.tooLong, place) }
    time = sum
  }

  private mutating func progress(by duration: Microseconds, over count: Int)
    throws(MarbleProblem)
  {
    let last = characters[position + count - 1].place
    let place = characters[position].place.lowerBound..<last.upperBound
    if group != nil { throw problem(.timeInGroup, place) }
    if let end {
      throw problem(role == .subscription ? .afterUnsubscription : .afterEnd, place, end)
    }
    try pass(duration, place)
    position += count
  }

  /// Returns a duration between blanks, and the number of its characters.
  private func duration() -> (Microseconds, count: Int)? {
    guard characters[position].isNumber, position == 0 || characters[position - 1].isBlank
    else { return nil }
    let word = characters[position...].prefix { !$0.isBlank }
    guard word.count <= 40, word.count > 1,
      case .success(let duration) = parseDuration(String(word.map(\.character)))
    else { return nil }
    return (duration, word.count)
  }

  private func problem(
    _ kind: MarbleProblem.Kind, _ place: Range<Int>, _ other: Range<Int>? = nil
  ) -> MarbleProblem {
    MarbleProblem(kind: kind, place: place, other: other)
  }
}

extension Character {
  /// True if a diagram can show the character.
  var isVisible: Bool {
    unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
        .spaceSeparator:
        false
      default: true
      }
    } && unicodeScalars.first?.properties.generalCategory != .format
  }

  /// True if the character is a value in diagrams, and not a part of their syntax.
  var isMarbleSymbol: Bool { isVisible && !"-|#()^!".contains(self) }
}
