import TextSearch

/// One step of the language: its verb, the keys beside it, and the scripts that may have it.
package final class StepRule: Sendable {
  package enum Kind: Sendable, Equatable {
    case acting, structure, asserting, answering
  }

  package let kind: Kind
  /// The mapping of the verb and its companions.
  package let mapping: MappingRule
  package let verb: KeyRule
  /// The scripts that may have it.
  package let places: [Place]
  /// True if time may pass in it. In a transaction no time passes.
  package let takesTime: Bool
  /// True if the verb alone is enough: `- drop`.
  package let isWord: Bool

  package init(
    _ kind: Kind, _ verb: KeyRule, with companions: [KeyRule] = [], in places: [Place],
    takesTime: Bool = false, isWord: Bool = false
  ) {
    self.kind = kind
    self.verb = verb
    mapping = MappingRule(
      .step, title: "`\(verb.name)`", verb.text, isStep: true, keys: [verb] + companions)
    self.places = places
    self.takesTime = takesTime
    self.isWord = isWord
  }

  /// Returns whether a key may stand inside the value of the verb.
  func takesInside(_ name: String) -> Bool {
    guard case .mapping(let mapping) = verb.shape else { return false }
    return LanguageTable.mapping(mapping)?.rule(named: name) != nil
  }
}

extension LanguageTable {
  package static let steps =
    actingSteps + requestSteps + dataSteps + connectionSteps + structureSteps + assertingSteps
    + answeringSteps + serverSteps

  /// Returns the rule of a verb. If the verb has several, it is the one for the place.
  package static func step(named verb: String, in place: Place = .scenario) -> StepRule? {
    guard let initial = verb.utf8.first, initial < 128 else { return nil }
    var elsewhere: StepRule?
    for rule in stepsByInitial[Int(initial)] where rule.verb.name == verb {
      if rule.places.contains(place) { return rule }
      elsewhere = elsewhere ?? rule
    }
    return elsewhere
  }

  /// The steps by the first letter of their verbs. Each key of each step is looked up here.
  private static let stepsByInitial: [[StepRule]] = {
    var rules = [[StepRule]](repeating: [], count: 128)
    for rule in steps {
      if let initial = rule.verb.name.utf8.first { rules[Int(initial)].append(rule) }
    }
    return rules
  }()
}
