import ScenarioPlan

extension SequencePlan {
  /// Its events, one after the other; none for a diagram.
  var matchers: [MatcherPlan] {
    switch form {
    case .events(let matchers): matchers
    case .marble: []
    }
  }
}
