/// The meaning of an entry that a map does not have.
///
/// A matcher that *selects* events or requests finds an absent entry by `$not`: a request without
/// the header is one that does not have the password. A matcher that *demands* does not take an
/// absent entry for one that differs: a misspelled name would demand nothing.
extension MatcherPlan {
  /// True if an entry that a map does not have matches.
  package var acceptsAbsence: Bool { accepts(byNot: true) }

  /// True if only `$not` makes an absent entry match. Before version 0.2, it did not.
  var acceptsAbsenceByNot: Bool { accepts(byNot: true) && !accepts(byNot: false) }

  fileprivate func accepts(byNot: Bool) -> Bool {
    guard case .operators(let operators) = content, !operators.isEmpty else { return false }
    return operators.allSatisfy { $0.accepts(byNot: byNot) }
  }
}

extension OperatorPlan {
  fileprivate func accepts(byNot: Bool) -> Bool {
    switch kind {
    case .absent: true
    case .list(.oneOf, let matchers): matchers.contains { $0.accepts(byNot: byNot) }
    case .inner(.match, let matcher): matcher.accepts(byNot: byNot)
    case .inner(.not, let matcher): byNot && selects && !matcher.accepts(byNot: byNot)
    case .any, .type, .data, .inner, .list, .regex, .where, .capture, .schema: false
    }
  }
}
