import Diagnostics
import World

/// The common properties of alike courses: the same goes wrong with pieces of the same kind, whose
/// bytes differ in digits alone, while the same step of the scenario is under way.
///
/// A client that asks each second for an hour has 3,600 such places in one step.
struct CourseLikeness: Hashable {
  enum Disturbance: Hashable {
    case refusal, offline
    case rewritten(PieceForm)
    case cutTwice
    case piece(PieceDisturbance)
    /// An answer comes before or behind a timer, which has a number among those that are pending.
    case late(timer: Int, isBehind: Bool)
    /// A piece comes behind one that is like this.
    case swap(PieceLikeness)
  }

  var step: SourceRange?
  /// The name of the endpoint.
  var line: String
  var kind: PiecePlace.Kind?
  var piece: PieceLikeness?
  var disturbance: Disturbance
  /// Of so many that are alike, all are tried. Of more, the first, the middle and the last, or
  /// where one is enough, the first.
  var most = many

  /// A user should know of so many places that were left out.
  fileprivate static let many = 20
}

extension [CourseLikeness] {
  /// True if courses are left out that are no other place of the same line.
  var haveTooMany: Bool {
    var counts: [CourseLikeness: Int] = [:]
    for likeness in self where likeness.most == CourseLikeness.many {
      counts[likeness, default: 0] += 1
    }
    return counts.values.contains { $0 > CourseLikeness.many }
  }
}

extension [SweepCourse] {
  /// Returns the courses in their order, and of many that are alike only some.
  ///
  /// - Parameter likenesses: What each course shares with others.
  func sampled(by likenesses: [CourseLikeness]) -> [SweepCourse] {
    var members: [CourseLikeness: [Int]] = [:]
    for (place, likeness) in likenesses.enumerated() {
      members[likeness, default: []].append(place)
    }
    var isTried = [Bool](repeating: true, count: count)
    for (likeness, places) in members where places.count > likeness.most {
      for place in places { isTried[place] = false }
      let last = likeness.most == 1 ? [] : [places[places.count / 2], places[places.count - 1]]
      for place in [places[0]] + last { isTried[place] = true }
    }
    return indices.filter { isTried[$0] }.map { self[$0] }
  }
}
