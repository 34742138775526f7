extension LanguageTable {
  package static let invariant = MappingRule(
    .invariant, title: "An invariant",
    "What holds from the beginning to the end. It is evaluated when a change is complete.",
    exactlyOneOf: [[.always, .never, .leadsTo, .precededBy, .between, .unchanged, .count]],
    keys: [
      KeyRule(.always, .expression, "What always holds.", example: "count >= 0"),
      KeyRule(.never, .expression, "What never holds.", example: "count > limit"),
      KeyRule(
        .leadsTo, .mapping(.leadsTo), "What is always followed by something else.",
        example: "{ when: { events: asked }, then: { events: answered }, within: 30s }"),
      KeyRule(
        .precededBy, .mapping(.precededBy), "What never comes before something else came.",
        example: "{ when: { events: shipped }, once: { events: paid } }"),
      KeyRule(
        .between, .mapping(.between), "What holds from one event to another.",
        example: "{ when: { events: opened }, until: { events: closed }, never: { events: moved } }"
      ),
      KeyRule(
        .unchanged, .mapping(.unchanged), "A value that stays while a condition holds.",
        example: "{ of: total, while: isPaying }"),
      KeyRule(
        .count, .mapping(.eventCount), "How many events come in any time of one length.",
        example: "{ when: { events: login }, per: 1m, atMost: 5 }"),
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

  package static let precededBy = MappingRule(
    .precededBy, title: "What comes before what",
    "Before each event that matches `when`, one that matches `once` has come.",
    keys: [
      KeyRule(
        .when, .map(.address, .matcher), "Events, source by source, that need one before them.",
        example: "{ events: shipped }", required: true),
      KeyRule(
        .once, .map(.address, .matcher), "Events of which one must have come before.",
        example: "{ events: paid }", required: true),
      KeyRule(
        .within, .duration, "The longest time that may lie between them; without it, any.",
        example: "30s"),
    ])

  package static let between = MappingRule(
    .between, title: "What holds between two events",
    "From each event that matches `when`, until one that matches `until`.",
    exactlyOneOf: [[.never, .always]],
    keys: [
      KeyRule(
        .when, .map(.address, .matcher), "Events, source by source, with which it begins.",
        example: "{ events: opened }", required: true),
      KeyRule(
        .until, .map(.address, .matcher),
        "Events of which one ends it. If none comes, it lasts until the steps end.",
        example: "{ events: closed }", required: true),
      KeyRule(
        .never, .map(.address, .matcher), "Events that do not come in between.",
        example: "{ events: moved }"),
      KeyRule(
        .always, .expression, "What holds after each change in between.", example: "level > 0"),
    ])

  package static let unchanged = MappingRule(
    .unchanged, title: "A value that stays",
    "A value that is the same after each change, as long as a condition holds.",
    keys: [
      KeyRule(.of, .expression, "The value.", example: "total", required: true),
      KeyRule(
        .while, .expression, "The condition during which it stays.", example: "isPaying",
        required: true),
      KeyRule(
        .when, .map(.address, .matcher),
        "Events to compare with each other, in place of the stage; `value` is the event.",
        example: "{ events: paid }"),
    ])

  package static let eventCount = MappingRule(
    .eventCount, title: "How many events come",
    "How many events match `when` in any time as long as `per`, wherever it begins.",
    needs: [
      Need(key: .when, oneOf: [.atMost, .atLeast]),
      Need(key: .atLeast, oneOf: [.per], pointsAtKey: true),
    ],
    keys: [
      KeyRule(
        .when, .map(.address, .matcher), "Events, source by source, that are counted.",
        example: "{ events: login }", required: true),
      KeyRule(
        .per, .tick, "The length of the time; without it, the whole run.", example: "1m"),
      KeyRule(
        .atMost, .integer(0...100_000), "The most events.", example: "5"),
      KeyRule(
        .atLeast, .integer(1...100_000),
        "The least number of further events in this time after each event. It needs `per`.",
        example: "1"),
    ])
}
