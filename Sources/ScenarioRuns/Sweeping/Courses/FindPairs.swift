import Events
import ScenarioPlan
import TextSearch
import World

/// The search for courses in which a second thing goes wrong.
struct PairSearch {
  /// True if all places are tried of those that are alike.
  let allPlaces: Bool
  /// The most courses with the same first disturbance.
  let most: Int
  /// The pieces that the run without a disturbance sends, and how often.
  private let undisturbed: [SentPiece: Int]

  init(beside good: EventLog, allPlaces: Bool, most: Int) {
    self.allPlaces = allPlaces
    self.most = most
    undisturbed = good.events.reduce(into: [:]) { pieces, event in
      guard case .network(.pieceSent(let place, _, let likeness)) = event.kind else { return }
      pieces[SentPiece(place, likeness), default: 0] += 1
    }
  }
}

extension PairSearch {
  /// Finds the courses that disturb the recovery from a course as well, from the log of its run.
  ///
  /// The recovery is what the run without a disturbance does not send. At other places the two
  /// disturbances would have nothing to do with each other.
  func pairs(
    with course: SweepCourse, in log: EventLog, of plan: ScenarioPlan, isInRealTime: Bool
  ) -> FoundCourses {
    guard course.disturbances.count == 1, let first = course.disturbances.first,
      !first.losesNothing
    else { return FoundCourses() }
    var search = CourseSearch(plan: plan, log: log, isInRealTime: isInRealTime)
    var undisturbed = undisturbed
    for event in log.events {
      switch event.kind {
      case .network(.pieceSent(let place, _, let likeness)):
        let rest = undisturbed[SentPiece(place, likeness), default: 0]
        undisturbed[SentPiece(place, likeness)] = rest - 1
        if rest <= 0, first.place != place { search.pass(event) }
      case .script(.stepBegan): search.noteStep(event)
      case .network, .run, .source, .script, .assertion: break
      }
    }
    let seconds = search.courses(allPlaces: allPlaces).filter { $0.disturbances.count == 1 }
    return FoundCourses(
      seconds.map { SweepCourse([first] + $0.disturbances) },
      leavingOut: search.courses.count { $0.disturbances.count == 1 } - seconds.count,
      most: most)
  }
}

/// A piece that a run sent, as others may send it, too.
private struct SentPiece: Hashable {
  let line: String
  let kind: PiecePlace.Kind
  let likeness: PieceLikeness

  init(_ place: PiecePlace, _ likeness: PieceLikeness) {
    (line, kind) = (place.line, place.kind)
    self.likeness = likeness
  }
}

extension Disturbance {
  /// The piece that it strikes, if it is one.
  fileprivate var place: PiecePlace? { if case .piece(let place, _) = self { place } else { nil } }
}
