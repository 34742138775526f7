extension LanguageTable {
  package static let requestRetry = MappingRule(
    .requestRetry, title: "A retry policy of requests",
    "When a request that failed is made again, and after how long.",
    keys: [
      KeyRule(
        .maxAttempts, .integer(1...RequestRetry.mostAttempts),
        "How often a request is made at most, the first time counted; without it, 3.",
        example: "5"),
      KeyRule(
        .initialDelay, .duration, "The pause before the second attempt; without it, 1s.",
        example: "500ms"),
      KeyRule(
        .multiplier, .number(from: 1), "How much longer each next pause is; without it, 2.",
        example: "1.5"),
      KeyRule(
        .maxDelay, .duration,
        "No pause is longer than this, unless the server asks for it; without it, 60s.",
        example: "10s"),
      KeyRule(
        .on, .list(retryReason),
        "What is tried again: answers by their status, and failures by their reason; without it, "
          + "408, 429, 500, 502, 503, 504, and all reasons but `protocolError`.",
        example: "[503, connectionLost]"),
      KeyRule(
        .jitter, .number(from: 0),
        "The share of a pause by which chance makes it shorter or longer; what the server asks for "
          + "is only made longer. Without it, 0.",
        example: "0.1"),
    ])

  static let retryStatus = 300...599
  static let retryWords = Shape.words(RequestRetry.Reason.allCases.map(\.rawValue))
  static let retryReason = Shape.anyOf([.integer(retryStatus), retryWords])
}
