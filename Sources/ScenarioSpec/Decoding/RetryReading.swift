import Diagnostics
import Values
import YAMLSyntax

extension ScenarioReader {
  /// How a request is made again: what is not said is as the policy has it by itself.
  func readRetryPolicy(_ fields: Fields) -> RetryPolicy? {
    guard let entry = fields[.retry] else { return nil }
    guard let parts = open(entry.value, LanguageTable.retryPolicy, "`retry`") else { return nil }
    var policy = RetryPolicy()
    policy.maxAttempts = parts.integer(.maxAttempts)?.value ?? policy.maxAttempts
    policy.multiplier = parts.number(.multiplier) ?? policy.multiplier
    policy.jitter = parts.number(.jitter) ?? policy.jitter
    let initial = parts.duration(.initialDelay)
    let longest = parts.duration(.maxDelay)
    policy.initialDelay = initial?.value ?? min(policy.initialDelay, longest?.value ?? .max)
    policy.maxDelay = longest?.value ?? max(policy.maxDelay, policy.initialDelay)
    if let longest, longest.value < policy.initialDelay {
      let least = "a duration that is not shorter than `initialDelay`"
      report(.outOfRange("`maxDelay`", takes: least, at: longest.range))
    }
    if parts.has(.on) { readReasons(parts, into: &policy) }
    return policy
  }

  private func readReasons(_ fields: Fields, into policy: inout RetryPolicy) {
    policy.statuses = []
    policy.reasons = []
    if fields[.on]?.value.elements?.isEmpty == true {
      report(.emptyList("`on`", of: "status or reason", at: fields[.on]?.value.range ?? .none))
    }
    for node in fields.elements(.on) {
      if case .int? = node.scalar?.value {
        let status = readInteger(node, in: LanguageTable.retryStatus, .element(.on))
        if let status { policy.statuses.append(status.value) }
      } else if node.scalar?.isText == true {
        let word = readWord(
          node, LanguageTable.retryWords, .element(.on), of: LanguageTable.retryReason)
        let reason = word.flatMap { RetryPolicy.Reason(rawValue: $0.value) }
        if let reason { policy.reasons.append(reason) }
      } else {
        reportWrongType(node, .element(.on), takes: LanguageTable.retryReason)
      }
    }
  }
}
