import Diagnostics
import World

/// Of so many courses that are alike, all are tried. Of more, the first, the middle and the last.
package let mostAlikeCourses = 20

/// The common properties of alike courses: the same goes wrong with pieces of the same kind, whose
/// bytes differ in digits alone, while the same step of the scenario is under way.
///
/// A client that asks each second for an hour has 3,600 such places in one step.
struct CourseLikeness: Hashable {
  enum Disturbance: Hashable {
    case refusal, offline, lost, cutWithin, cutAfter, cutTwice, duplicate
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
    for places in members.values where places.count > mostAlikeCourses {
      for place in places { isTried[place] = false }
      for place in [places[0], places[places.count / 2], places[places.count - 1]] {
        isTried[place] = true
      }
    }
    return indices.filter { isTried[$0] }.map { self[$0] }
  }
}
