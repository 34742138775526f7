import Values

extension SchemaRun {
  mutating func satisfiesListRules(
    _ node: SchemaNode, _ list: [Value], _ marks: EvaluatedMarks?
  ) -> Bool {
    var isGood = true
    for rule in node.listRules {
      isGood = satisfies(rule, node, list, marks) && isGood
      if !isGood, !collects { return false }
    }
    return isGood
  }

  private mutating func satisfies(
    _ rule: ListRule, _ node: SchemaNode, _ list: [Value], _ marks: EvaluatedMarks?
  ) -> Bool {
    switch rule {
    case .minItems(let least):
      list.count >= least || fail(node, "minItems") { countMessage(list.count, "least", least) }
    case .maxItems(let most):
      list.count <= most || fail(node, "maxItems") { countMessage(list.count, "most", most) }
    case .unique: satisfiesUnique(node, list)
    case .elements(let rules): satisfies(rules, list, marks)
    case .contains(let rule): satisfies(rule, node, list, marks)
    }
  }

  private mutating func satisfiesUnique(_ node: SchemaNode, _ list: [Value]) -> Bool {
    guard let (first, second) = firstPairOfEquals(list) else { return true }
    return fail(node, "uniqueItems") {
      "must have no element twice, as \(shown(list[first])) is at \(first) and \(second)"
    }
  }

  private mutating func satisfies(
    _ rules: ElementRules, _ list: [Value], _ marks: EvaluatedMarks?
  ) -> Bool {
    var isGood = true
    for (position, schema) in rules.first.enumerated() where position < list.count {
      marks?.mark(position)
      isGood =
        holds(
          schema, list[position], at: .index(position), [rules.firstKeyword, "\(position)"])
        && isGood
      if !isGood, !collects { return false }
    }
    guard let schema = rules.rest, rules.first.count < list.count else { return isGood }
    marks?.markAll()
    for position in rules.first.count..<list.count {
      isGood =
        holds(schema, list[position], at: .index(position), [rules.restKeyword]) && isGood
      if !isGood, !collects { return false }
    }
    return isGood
  }

  private mutating func satisfies(
    _ rule: ContainsRule, _ node: SchemaNode, _ list: [Value], _ marks: EvaluatedMarks?
  ) -> Bool {
    var found = 0
    for (position, element) in list.enumerated()
    where holdsQuietly(rule.schema, element, nil) {
      found += 1
      if rule.marks { marks?.mark(position) }
      // The minimum is enough, unless all elements must be counted or marked.
      if marks == nil, rule.most == nil, found >= rule.least { return true }
    }
    if found < rule.least {
      let keyword = rule.least == 1 ? "contains" : "minContains"
      return fail(node, keyword) { containsMessage("least", rule.least, found) }
    }
    if let most = rule.most, found > most {
      return fail(node, "maxContains") { containsMessage("most", most, found) }
    }
    return true
  }
}

private func countMessage(_ found: Int, _ word: String, _ wanted: Int) -> String {
  "must have at \(word) \(plural(wanted, "element")), not \(found)"
}

private func containsMessage(_ word: String, _ wanted: Int, _ found: Int) -> String {
  "must have at \(word) \(plural(wanted, "element")) that match `contains`, not \(found)"
}
