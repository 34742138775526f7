import CEL
import ScenarioSpec
import Secrets
import Values

/// A constant that is a secret, as expressions name it.
struct SecretConstant {
  /// The component in which it has this name.
  var prefix: String
  var name: String
  var value: Value
}

// Expressions that compute something from secrets.
extension PlanCompiler {
  /// Returns how to find out what an expression shows of secrets; nil if it reads none.
  func derivation(of expression: ExpressionPlan) -> SecretDerivation? {
    let slots = Array(expression.readSlots.filter(isSecret))
    let carriers = mayHaveSecrets ? expression.readSlots.filter(mayCarrySecrets) : []
    let constants = secretConstants.isEmpty ? [] : namedConstants(in: expression.origin.text)
    let known = constants.first?.name ?? slots.lazy.compactMap(secretName).first
    guard let name = known ?? (carriers.isEmpty ? nil : computedStem),
      let program = program(of: expression, without: constants)
    else { return nil }
    derivationCounts[name, default: 0] += 1
    return SecretDerivation(
      name: "\(name)#\(derivationCounts[name] ?? 1)", program: program, slots: slots,
      carriers: carriers, constants: constants.map(\.value), text: expression.origin.text)
  }

  /// Compiles an expression with other values in place of secret constants.
  private func program(
    of expression: ExpressionPlan, without constants: [SecretConstant]
  ) -> CELProgram? {
    if constants.isEmpty { return expression.program }
    var other = scope
    for constant in constants { other.declareConstant(constant.name, value: constant.value.decoy) }
    return try? compileCEL(expression.origin.text, scope: other).get()
  }

  /// Hides what a constant expression computes from secrets. It is known before any run.
  func hideResult(of expression: ExpressionPlan, _ derivation: SecretDerivation) {
    guard let result = expression.program.constant else { return }
    for text in derivation.secrets(in: result, ReadSlots(NoSlots()))
    where plan.secretNames[text] == nil {
      plan.secrets.append(text)
      plan.secretNames[text] = derivation.name
      plan.computedSecrets.insert(text)
    }
  }

  /// Notes a constant whose value is a secret, or has one in it.
  func noteIfSecret(_ name: String, _ value: Value) {
    guard value.secretTexts.contains(where: { plan.secretNames[$0] != nil }) else { return }
    secretConstants.append(SecretConstant(prefix: unit.prefix, name: name, value: value))
  }

  private func namedConstants(in text: String) -> [SecretConstant] {
    let words = Set(text.split { !($0 == "_" || $0.isLetter || $0.isNumber) }.map(String.init))
    return secretConstants.filter { $0.prefix == unit.prefix && words.contains($0.name) }
  }

  private func isSecret(_ slot: SlotID) -> Bool { secretName(slot) != nil }

  private func secretName(_ slot: SlotID) -> String? {
    switch plan.slots[slot] {
    case .variable(let id):
      let variable = plan.variables[id]
      return variable.isSecret || derivedVariables.contains(id) ? variable.name : nil
    case .column(let id): return plan.columns[id].isSecret ? plan.columns[id].name : nil
    case .capture(let id): return plan.captures[id].isSecret ? plan.captures[id].name : nil
    case .node, .local, .matched, .now, .eventCount, .events, .lastEvent, .recomputes, .address,
      .port, .temp, .drawn:
      return nil
    }
  }
}

extension PlanCompiler {
  /// Returns whether a slot may have a value that was computed from a secret before.
  private func mayCarrySecrets(_ slot: SlotID) -> Bool {
    switch plan.slots[slot] {
    case .node, .local, .matched, .events, .lastEvent: true
    case .variable, .column, .capture, .now, .eventCount, .recomputes, .address, .port, .temp,
      .drawn:
      false
    }
  }
}

private final class NoSlots: PlanSlots {
  func value(of slot: SlotID) -> Value { .null }
}
