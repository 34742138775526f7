extension LanguageTable {
  static let actingSteps = [
    StepRule(
      .acting,
      KeyRule(
        .set, .map(.place, .value),
        "Writes stored nodes, fields of reactors, or an endpoint's values, or a part of one "
          + "(`person.age`, `items[0].qty`, `items[${at}].qty`), as one change.",
        example: "{ count: 1 }", required: true),
      in: Place.allCases),
    StepRule(
      .acting,
      KeyRule(
        .transaction, .script(nil), "Runs steps whose writes become one change.",
        example: "[{ set: { count: 1 } }, { set: { total: 10 } }]", required: true),
      in: Place.allCases),
    StepRule(
      .acting,
      KeyRule(
        .send, .anyOf([.address, .map(.address, .value)]),
        "Sends an action to a reactor, a value to a subject, a message to a WebSocket, or a line "
          + "to a program; a bare address carries nothing.",
        example: "{ counter.add: 5 }", required: true),
      with: [
        KeyRule(
          .awaited, .flag,
          "In an action: the script continues when the actions that it sends have ended, and fails "
            + "if one of them fails.",
          example: "true", in: [.action])
      ], in: outsideEndpoints),
    StepRule(
      .acting,
      KeyRule(
        .terminate, .anyOf([.address, .list(.address)]),
        "Ends the life cycle of a reactor, completes a subject, or ends a connection or a program "
          + "for good; one or several.",
        example: "counter", required: true),
      in: outsideEndpoints),
    StepRule(
      .acting,
      KeyRule(
        .network, .anyOf([networkWords, .mapping(.network)]),
        "Changes the world between clients and endpoints, from now on.", example: "offline",
        required: true),
      in: [.scenario, .finally]),
    StepRule(
      .acting,
      KeyRule(
        .suspend, .anyDuration,
        "The client's machine sleeps so long: reactors, streams, connections, providers and "
          + "programs rest, and mocks go on.", example: "8h", required: true),
      with: [
        KeyRule(
          .timers, .words(["due"]),
          "Timers whose time has come fire at the waking. Without it, they keep what was left.",
          example: "due")
      ], in: [.scenario, .finally], takesTime: true),
    StepRule(
      .acting,
      KeyRule(
        .load, .map(.address, .anyOf([.address, .mapping(.loadCall)])),
        "Fills a field of the reactor from a provider: it is loading, then loaded or an error. Or "
          + "lets a list show another provider's data.",
        example: "{ fact: facts }", required: true),
      in: outsideEndpoints, takesTime: true),
    StepRule(
      .acting,
      KeyRule(
        .emit, .anyOf([.eventName, .single(.text, .value)]),
        "Emits a named event, with data or without.",
        example: "{ validation:start: { attempt: 1 } }", required: true),
      in: Place.allCases),
    StepRule(
      .acting,
      KeyRule(
        .fail, .value, "Ends the action, or what `try` tries, with an error.",
        example: "{ reason: too late }", required: true),
      in: [.action]),
  ]

  static let structureSteps = [
    StepRule(
      .structure,
      KeyRule(
        .wait, .anyOf([.anyDuration, .words(["forever"])]), "Lets time pass.", example: "10s",
        required: true),
      in: Place.allCases, takesTime: true),
    StepRule(
      .structure,
      KeyRule(
        .parallel, .list(.script(nil)), "Runs scripts side by side, and goes on when all are done.",
        example: "[[{ wait: 1s }], [{ wait: 2s }]]", required: true),
      in: Place.allCases, takesTime: true),
    StepRule(
      .structure,
      KeyRule(
        .let, .map(.name, .expression),
        "Gives values names, for the steps behind it in the same script.",
        example: "{ total: price * 2 }", required: true),
      in: Place.allCases),
    StepRule(
      .structure,
      KeyRule(
        .log, .value,
        "Writes a line for readers into the log of the run: a failure shows it, and `run --log`.",
        example: "total is ${total}", required: true),
      in: Place.allCases),
    StepRule(
      .structure,
      KeyRule(
        .repeat, .anyOf([.count(0...Int.max), .words(["forever"])]),
        "Runs the steps this many times; in them, `turn` is the number of the turn, from 1.",
        example: "3", required: true),
      with: [nestedSteps], in: Place.allCases),
    StepRule(
      .structure,
      KeyRule(
        .while, .expression,
        "Runs the steps as long as this holds; in them, `turn` is the number of the turn, from 1.",
        example: "count < 3", required: true),
      with: [
        KeyRule(
          .atMost, .integer(1...Int.max),
          "The most turns; the step fails if the condition still holds then. The default is 1000.",
          example: "20"),
        nestedSteps,
      ], in: Place.allCases),
    StepRule(
      .structure,
      KeyRule(
        .forEach, .single(.name, .value),
        "Runs the steps for each item, under this name; `turn` is the number of the turn, from 1.",
        example: "{ item: [1, 2, 3] }", required: true),
      with: [nestedSteps], in: Place.allCases),
    StepRule(
      .structure,
      KeyRule(
        .if, .expression, "Runs `then` where this holds, and `else` where it does not.",
        example: "count > 3", required: true),
      with: [
        KeyRule(
          .then, .script(nil), "The steps where the condition holds.",
          example: "[{ set: { count: 0 } }]", required: true),
        KeyRule(
          .else, .anyOf([.script(nil), .step]),
          "The steps if it does not, or a single step, such as a further `if`.",
          example: "[{ set: { count: 1 } }]"),
      ], in: Place.allCases),
    StepRule(
      .structure,
      KeyRule(
        .include, .anyOf([.text, .mapping(.include)]), "Runs the steps that a file holds.",
        example: "{ path: steps/login.steps.yaml, with: { name: Ann } }", required: true),
      in: [.scenario, .finally] + Place.endpoints, takesTime: true),
    StepRule(
      .structure,
      KeyRule(
        .try, .script(nil), "Runs steps of which one may fail.",
        example: "[{ fail: offline }]", required: true),
      with: [
        KeyRule(
          .catch, .script(nil), "The steps that run when one failed; `error` is in scope.",
          example: "[{ set: { failure: '${error}' } }]")
      ], in: [.action]),
  ]

  static let answeringSteps = [
    StepRule(
      .answering,
      KeyRule(
        .respond, answerShape,
        "Answers the request. The script of a stream can answer in place of the stream, before it "
          + "sends or waits.", example: "{ status: 204 }", required: true),
      in: [.endpoint, .eventStream, .lines], takesTime: true),
    StepRule(
      .answering,
      KeyRule(
        .drop, .flag, "Ends the connection without an answer.", example: "true", required: true),
      in: [.endpoint], takesTime: true, isWord: true),
    StepRule(
      .answering,
      KeyRule(.stall, .flag, "Never answers.", example: "true", required: true),
      in: [.endpoint], takesTime: true, isWord: true),
  ]

  package static let loadCall = MappingRule(
    .loadCall, title: "A load with parameters",
    "What fills a field, where the provider has parameters.",
    keys: [
      KeyRule(.provider, .address, "The provider.", example: "tasks", required: true),
      KeyRule(.with, .map(.name, .value), "Values for its parameters.", example: "{ page: 2 }"),
    ])

  private static let outsideEndpoints: [Place] = [.scenario, .finally, .action]

  static let nestedSteps = KeyRule(
    .steps, .script(nil), "The steps that are run.", example: "[{ set: { count: 1 } }]",
    required: true)
}
