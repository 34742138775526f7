import ScenarioPlan

extension MatcherPlan {
  /// True for the word that stands for completion.
  var awaitsCompletion: Bool {
    if case .value(let data) = content, case .constant(completedValue) = data.content {
      true
    } else {
      false
    }
  }
}

extension SequencePlan {
  /// True if the sequence is about the source's events and not about its subscriptions alone.
  var isAboutEvents: Bool {
    if case .marble(nil, _) = form { false } else { true }
  }

  /// Its events, one after the other; none for a diagram.
  var matchers: [MatcherPlan] {
    switch form {
    case .events(let matchers): matchers
    case .marble: []
    }
  }
}
