import Diagnostics
import Values
import YAMLSyntax

extension DocumentReader {
  /// Reads how a failed request is repeated. A setting without a key has its default.
  func readRequestRetry(_ fields: MappingReader) -> RequestRetry? {
    guard let entry = fields[.retry] else { return nil }
    guard let parts = open(entry.value, LanguageTable.requestRetry, "`retry`") else {
      return nil
    }
    var policy = RequestRetry()
    policy.maxAttempts = parts.integer(.maxAttempts)?.value ?? policy.maxAttempts
    policy.multiplier = number(.multiplier, of: parts, most: 100) ?? policy.multiplier
    policy.jitter = number(.jitter, of: parts, most: 1) ?? policy.jitter
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

  private func number(_ key: Key, of fields: MappingReader, most: Int) -> Double? {
    guard let number = fields.number(key) else { return nil }
    if number.value <= Double(most) { return number.value }
    let most = "a number that is not greater than \(most)"
    report(.outOfRange("`\(key.rawValue)`", takes: most, at: number.range))
    return nil
  }

  private func readReasons(_ fields: MappingReader, into policy: inout RequestRetry) {
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
        let reason = word.flatMap { RequestRetry.Reason(rawValue: $0.value) }
        if let reason { policy.reasons.append(reason) }
      } else {
        reportWrongType(node, .element(.on), takes: LanguageTable.retryReason)
      }
    }
  }
}
