import Events
import ScenarioPlan
import TextSearch

/// The progress of scripts: the number of steps that any run of a script has begun.
final class ScriptProgress {
  /// Empty until a script begins.
  @exclusivity(unchecked) private var begun: [Int32] = []
  private let scriptCount: Int

  init(_ shared: SharedPlan) { scriptCount = shared.plan.scripts.count }

  /// Notes that a script has begun this many of its steps.
  func note(_ count: Int, of script: ScriptID) {
    if begun.isEmpty { begun = Array(filledWith: 0, count: scriptCount) }
    if begun[script.index] < count { begun[script.index] = Int32(count) }
  }

  func stepsBegun(of script: ScriptID) -> Int { begun.isEmpty ? 0 : Int(begun[script.index]) }
}

/// The scripts of a plan, and how far any run of them has come.
struct ReachedScripts {
  let plan: ScenarioPlan
  let progress: ScriptProgress

  func isReached(_ script: ScriptID) -> Bool { progress.stepsBegun(of: script) > 0 }

  /// Returns the first step that no run of a script has begun, and those of the scripts inside the
  /// others.
  ///
  /// - Parameter word: The word that the script stands under, if it may be passed over as a whole.
  ///   Then its first step stands for all of it.
  func unused(of script: ScriptID, under word: String? = nil, namesBodies: Bool) -> [UnusedPart] {
    let steps = plan.scripts[script].steps
    let begun = progress.stepsBegun(of: script)
    let inside = steps.prefix(begun).flatMap { step in
      step.kind.bodies.flatMap { body in
        unused(of: body.script, under: namesBodies ? body.word : nil, namesBodies: namesBodies)
      }
    }
    guard begun < steps.count else { return inside }
    let whole = begun == 0 ? word.map(UnusedPart.Kind.body) : nil
    return inside
      + [UnusedPart(whole ?? .step(verb: steps[begun].verb), at: steps[begun].verbRange)]
  }

  /// Returns the bodies in a script, and in the scripts inside it, that a run may pass over.
  func bodies(of script: ScriptID) -> [StagePart] {
    plan.scripts[script].steps.flatMap { step in
      step.kind.bodies.flatMap { body in
        (body.word.flatMap { part($0, body.script) }.map { [$0] } ?? []) + bodies(of: body.script)
      }
    }
  }

  private func part(_ word: String, _ script: ScriptID) -> StagePart? {
    guard let first = plan.scripts[script].steps.first else { return nil }
    return StagePart(.body(word), at: first.verbRange, isReached: isReached(script))
  }
}

extension StepPlanKind {
  /// The scripts inside a step. One that a run may pass over has the word that it stands under.
  fileprivate var bodies: [(word: String?, script: ScriptID)] {
    switch self {
    case .structure(.if(_, let then, let other)):
      [("then", then)] + (other.map { [("else", $0)] } ?? [])
    case .structure(.attempt(let body, let handler, _)):
      [(nil, body)] + (handler.map { [("catch", $0)] } ?? [])
    case .structure(.repeat(_, let body, _)): [("repeat", body)]
    case .structure(.while(let loop)): [("while", loop.body)]
    case .structure(.forEach(_, _, let body, _)): [("forEach", body)]
    case .acting, .structure, .assertion, .mock, .action: innerScripts.map { (nil, $0) }
    }
  }
}
