extension LanguageTable {
  package static let invariant = MappingRule(
    .invariant, title: "An invariant",
    "What holds from the beginning to the end, looked at whenever a change is complete.",
    exactlyOneOf: [[.always, .never, .leadsTo]],
    keys: [
      KeyRule(.always, .expression, "What always holds.", example: "count >= 0"),
      KeyRule(.never, .expression, "What never holds.", example: "count > limit"),
      KeyRule(
        .leadsTo, .mapping(.leadsTo), "What is always followed by something else.",
        example: "{ when: { events: asked }, then: { events: answered }, within: 30s }"),
    ])

  package static let leadsTo = MappingRule(
    .leadsTo, title: "What leads to what",
    "Each event that matches `when` is followed by one that matches `then`.",
    keys: [
      KeyRule(
        .when, .map(.address, .matcher), "Events, source by source, that must be followed.",
        example: "{ events: asked }", required: true),
      KeyRule(
        .then, .map(.address, .matcher), "Events of which one must follow.",
        example: "{ events: { $regex: ^answer } }", required: true),
      KeyRule(
        .within, .duration, "The longest time it may take; without it, until the scenario ends.",
        example: "30s"),
    ])

  package static let network = MappingRule(
    .network, title: "The network",
    "How the world between clients and endpoints is from now on. What is not named stays.",
    otherKey: OtherKey(
      placeholder: "ENDPOINT", kind: .address,
      shape: .anyOf([networkWords, .mapping(.endpointNetwork)]),
      text: "An endpoint, and how the world before it is.", example: "{ api: offline }"),
    keys: networkSettings)

  package static let endpointNetwork = MappingRule(
    .endpointNetwork, title: "The network of one endpoint",
    "How the world between clients and this endpoint is from now on.", keys: networkSettings)

  private static let networkSettings = [
    KeyRule(
      .latency, .anyDuration, "How long everything takes to the other side.", example: "200ms"),
    KeyRule(
      .loss, .fraction, "The share of requests that are lost, from 0 to 1.", example: "0.1"),
  ]

  static let networkWords = Shape.words(["offline", "online"])
}
