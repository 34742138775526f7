extension LanguageTable {
  package static let network = MappingRule(
    .network, title: "The network",
    "The network between clients and endpoints from now on. A setting that is not named stays.",
    otherKey: OtherKey(
      placeholder: "ENDPOINT", kind: .address,
      shape: .anyOf([networkWords, .mapping(.endpointNetwork)]),
      text: "An endpoint, and the network to it.", example: "{ api: offline }"),
    keys: networkSettings)

  package static let endpointNetwork = MappingRule(
    .endpointNetwork, title: "The network of one endpoint",
    "The network between clients and this endpoint from now on.", keys: networkSettings)

  private static let networkSettings = [
    KeyRule(
      .latency, .anyDuration, "The time that bytes take to the other side.", example: "200ms"),
    KeyRule(
      .loss, .fraction, "The share of requests that are lost, from 0 to 1.", example: "0.1"),
    KeyRule(
      .fragments, fragments,
      "The sizes of the pieces in which bytes arrive, used in turn; `none` leaves them as they are "
        + "sent.", example: "[1, 7, 1400]"),
    KeyRule(
      .faults, .anyOf([.mapping(.faults), noneWord]),
      "What goes wrong, and how often. A fault that is not named does not happen.",
      example: "{ reset: 0.1 }"),
  ]

  package static let faults = MappingRule(
    .faults, title: "Faults",
    "What goes wrong between clients and endpoints, each with its share from 0 to 1.",
    keys: [
      KeyRule(.refuse, .fraction, "Attempts to connect are refused.", example: "0.1"),
      KeyRule(
        .drop, .fraction, "A piece is lost, and the connection ends there, without a proper close.",
        example: "0.05"),
      KeyRule(.reset, .fraction, "A piece is lost, and the connection breaks.", example: "0.1"),
      KeyRule(
        .stall, .fraction,
        "A piece is lost, and nothing ever arrives in this direction of the connection again.",
        example: "0.02"),
      KeyRule(.corrupt, .fraction, "One bit of a piece is another.", example: "0.01"),
      KeyRule(.duplicate, .fraction, "A piece arrives twice.", example: "0.02"),
      KeyRule(
        .delay, .mapping(.faultDelay), "A piece, and what is behind it, arrives later.",
        example: "{ share: 0.3, upTo: 200ms }"),
    ])

  package static let faultDelay = MappingRule(
    .faultDelay, title: "Delayed pieces", "How many pieces arrive later, and how much at most.",
    keys: [
      KeyRule(
        .share, .fraction, "The share of pieces, from 0 to 1.", example: "0.3", required: true),
      KeyRule(
        .upTo, .anyDuration, "The longest delay; each is drawn between nothing and this.",
        example: "200ms", required: true),
    ])

  /// The sizes of pieces. No client or server sends larger ones.
  static let fragmentSizes = 1...1_048_576
  static let fragments = Shape.anyOf([
    .integer(fragmentSizes), .list(.integer(fragmentSizes)), noneWord,
  ])
  static let noneWord = Shape.words(["none"])

  static let networkWords = Shape.words(["offline", "online"])
}
