import ScenarioPlan
import TextSearch
import Traces

/// The steps of a trace beside those of the scenario as it is now.
///
/// They are aligned as lines are in a comparison of texts, each script by itself: what the trace
/// has of a step is held against that step, wherever it stands now.
struct StepAlignment {
  /// A step that is not what it was.
  struct Change {
    /// The recorded step; nil if the trace does not have it.
    var recorded: String?
    /// Where the trace has it, if it ran.
    var at: String?
    /// The present step; nil if it is gone.
    var now: StepIdentities.Step?
  }

  /// By place, as the trace has it: the step now.
  private(set) var steps: [String: StepIdentities.Step] = [:]
  /// The places of steps whose text is what it was.
  private(set) var unchanged: Set<String> = []
  /// The places of steps that are gone.
  private(set) var gone: [String] = []
  private(set) var changes: [Change] = []
  private var places: [String: String] = [:]

  /// - Parameter now: The steps of the scenario as it is now.
  init(_ run: TraceRun, _ now: StepIdentities) {
    var recorded = run.header.steps
    var known = Set(recorded)
    for (at, step) in run.entries.stepsWithPlaces() {
      guard let step else { continue }
      places[step] = at
      if known.insert(step).inserted { recorded.append(step) }
    }
    let before = Scripts(recorded.map { TracedStep($0) })
    // Older versions did not list the steps of components.
    let knowsComponents = run.header.steps.contains { $0.hasPrefix(pathOfComponents) }
    let after = Scripts(
      now.all.filter { knowsComponents || !$0.isOfComponent }.map { TracedStep($0.identity, $0) })
    for script in Set(before.steps.keys).union(after.steps.keys).sorted(by: comesBefore) {
      align(before.steps[script] ?? [], with: after.steps[script] ?? [])
    }
  }

  private mutating func align(_ before: [TracedStep], with after: [TracedStep]) {
    for part in aligned(before, after, by: { $0.isSameText(as: $1) }) {
      switch part {
      case .same(let old, let new):
        if let at = places[before[old].identity] { unchanged.insert(at) }
        note(before[old], after[new])
      case .gap(let old, let new): pair(Array(before[old]), with: Array(after[new]))
      }
    }
  }

  /// Pairs steps between two that are what they were: the first with the first that has its place
  /// among other steps.
  private mutating func pair(_ before: [TracedStep], with after: [TracedStep]) {
    var rest = after
    for step in before {
      let match = rest.firstIndex { $0.shape == step.shape }.map { rest.remove(at: $0) }
      let at = places[step.identity]
      if let match { note(step, match) } else if let at { gone.append(at) }
      changes.append(Change(recorded: step.identity, at: at, now: match?.now))
    }
    for step in rest { changes.append(Change(now: step.now)) }
  }

  private mutating func note(_ before: TracedStep, _ after: TracedStep) {
    guard let at = places[before.identity] else { return }
    steps[at] = after.now
  }
}

extension StepAlignment {
  /// By place, as the trace has it: where the step stands now, as a trace would have it.
  func places(in texts: PlaceTexts) -> [String: String?] {
    var moved = steps.compactMapValues { texts.text(of: $0.place.range) as String?? }
    for at in gone { moved[at] = .some(nil) }
    return moved
  }
}

/// A step as its identity describes it.
private struct TracedStep {
  let identity: String
  let path: Substring
  let hash: Substring
  /// The path without numbers: `steps//then/`.
  let shape: String
  var now: StepIdentities.Step?

  init(_ identity: String, _ now: StepIdentities.Step? = nil) {
    self.identity = identity
    self.now = now
    let end = identity.utf8.lastIndex(of: UInt8(ascii: " ")) ?? identity.endIndex
    path = identity[..<end]
    hash = identity[end...]
    shape = path.split(separator: "/").filter { !$0.isNumber }.joined(separator: "/")
  }

  /// The script: the path before its first number.
  var script: String {
    path.split(separator: "/").prefix { !$0.isNumber }.joined(separator: "/")
  }

  func isSameText(as other: TracedStep) -> Bool {
    hash == other.hash && shape == other.shape
  }
}

extension Substring {
  fileprivate var isNumber: Bool { utf8.allSatisfy { (0x30...0x39).contains($0) } }
}

/// Steps by their scripts, each in its order.
private struct Scripts {
  var steps: [String: [TracedStep]] = [:]

  init(_ all: [TracedStep]) {
    for step in all { steps[step.script, default: []].append(step) }
    for script in steps.keys {
      steps[script]?.sort { comesBefore(String($0.path), String($1.path)) }
    }
  }
}

extension TraceRun {
  /// Returns the scenario of a file that the run is of: the one with its title, else the one whose
  /// steps have most in common with its steps. Nil if there is none.
  package func scenario(among plans: [ScenarioPlan], _ steps: TracedSteps) -> ScenarioPlan? {
    guard let title = header.scenario?.title else { return plans.first }
    let named = plans.first { $0.isTitled(title) }
    if named != nil || header.steps.isEmpty { return named }
    let recorded = header.steps.map { TracedStep($0) }
    let scores = plans.map { steps.steps(of: $0).likeness(to: recorded) }
    guard let best = scores.max(), best > TraceRun.leastLikeness else { return nil }
    return scores.firstIndex(of: best).map { plans[$0] }
  }

  /// Returns the row that the run is of. One without an id has a number, which is another one once
  /// a row is put before it: then it is found by what stands in it.
  package func row(of plan: ScenarioPlan) -> RowPlan? {
    guard let named = header.scenario, let id = named.row else { return nil }
    let same = plan.rows.first { $0.id == id }
    guard let hash = named.rowHash, same.map({ plan.hash(of: $0) }) != hash else { return same }
    return plan.rows.first { plan.hash(of: $0) == hash } ?? same
  }

  /// The least likeness of two scenarios if one may be the other under a new title.
  private static let leastLikeness = 0.5

  /// True if it does not say what its steps are, since an older version recorded it.
  package var lacksSteps: Bool {
    header.steps.isEmpty && entries.stepsWithPlaces().contains { $0.step == nil }
  }
}

extension ScenarioPlan {
  /// Returns whether a trace names it by this title.
  func isTitled(_ title: String) -> Bool {
    self.title == title || secretMask.masked(self.title) == title
  }
}

extension StepIdentities {
  /// Returns which part of the steps of both is in both, from 0 to 1.
  fileprivate func likeness(to recorded: [TracedStep]) -> Double {
    var counts: [Substring: Int] = [:]
    let recorded = recorded.filter { !$0.path.hasPrefix(pathOfComponents) }
    for step in recorded { counts[step.hash, default: 0] += 1 }
    let own = all.filter { !$0.isOfComponent }
    var common = 0
    for step in own {
      let hash = TracedStep(step.identity).hash
      guard let count = counts[hash], count > 0 else { continue }
      counts[hash] = count - 1
      common += 1
    }
    return 2 * Double(common) / Double(max(1, own.count + recorded.count))
  }
}
