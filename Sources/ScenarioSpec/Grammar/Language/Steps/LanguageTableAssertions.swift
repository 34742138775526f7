import TextSearch

extension LanguageTable {
  static let assertingSteps = [
    StepRule(
      .asserting,
      KeyRule(
        .expect, .anyOf([.map(.address, .sequence), .list(.mapping(.entry))]),
        "What is seen next: a map gives each source its own sequence, a list one order across all.",
        example: "{ count: [1, 2] }", required: true),
      with: [
        KeyRule(.within, .duration, "Bounds the whole expectation.", example: "10s"), soft,
      ], in: ofScenarios, takesTime: true),
    StepRule(
      .asserting,
      KeyRule(
        .never, .anyOf([.address, .list(.address), .map(.address, .matcher)]),
        "What is not seen since the last acting step, beyond what was accounted for.",
        example: "[count, total]", required: true),
      with: [
        KeyRule(
          .for, .duration, "How long to watch, in place of the present instant.", example: "5s"),
        soft,
      ], in: ofScenarios, takesTime: true),
    StepRule(
      .asserting,
      KeyRule(
        .check, .anyOf([.expression, .list(.expression)]),
        "What holds now. Of a list, all conditions that do not hold are reported.",
        example: "count == 1", required: true),
      with: [soft], in: ofScenarios),
    StepRule(
      .asserting,
      KeyRule(
        .eventually, .expression, "Waits until this holds.", example: "count > 3", required: true),
      with: [
        KeyRule(.within, .duration, "The longest wait, in place of the timeout.", example: "10s"),
        soft,
      ], in: ofScenarios, takesTime: true),
    StepRule(
      .asserting,
      KeyRule(
        .retry, .mapping(.retry),
        "Runs the steps again, after a pause, until `until` holds. Without `until`, until all "
          + "their requests and checks pass.",
        example: "{ until: \"job == 'done'\", failIf: \"job == 'failed'\" }", required: true),
      with: [nestedSteps], in: ofScenarios + [.action], takesTime: true),
    StepRule(
      .asserting,
      KeyRule(
        .fails, .step, "A step that must fail.", example: "{ send: { counter.add: text } }",
        required: true),
      with: [
        KeyRule(
          .error, .matcher, "What the error is like.", example: "{ $regex: overflow }")
      ], in: ofScenarios, takesTime: true),
    StepRule(
      .asserting,
      KeyRule(
        .ignore, .anyOf([.address, .list(.address)]),
        "Stops watching sources: their events need not be accounted for any more.",
        example: "[count]",
        required: true),
      in: ofScenarios),
    StepRule(
      .asserting,
      KeyRule(
        .snapshot, .anyOf([.text, .mapping(.snapshot)]),
        "Compares with what a file beside the scenario has recorded: a value, or the whole stage.",
        example: "after-login", required: true),
      with: [soft], in: ofScenarios),
  ]

  /// The option of what is expected and need not hold for the steps to go on.
  static let soft = KeyRule(
    .soft, .flag, "If it does not hold, the steps go on, and the scenario fails at its end.",
    example: "true")

  package static let retry = MappingRule(
    .retry, title: "What steps are tried for",
    "When repeated steps succeed, and when they fail.",
    keys: [
      KeyRule(
        .until, .expression,
        "What must hold after the steps; without it, the requests and checks of the steps must "
          + "pass.", example: "job == 'done'"),
      KeyRule(
        .failIf, .expression, "What makes every further try useless: the step fails at once.",
        example: "job == 'failed'"),
      KeyRule(
        .every, .tick, "The pause before the next try; without it, 1s.", example: "500ms"),
      KeyRule(
        .timeout, .duration,
        "No try begins later than this after the first; without it, the scenario's timeout.",
        example: "30s"),
    ])

  package static let snapshot = MappingRule(
    .snapshot, title: "A snapshot",
    "A value that is compared with a file, and what the file is called.",
    keys: [
      KeyRule(
        .name, .text, "What the snapshot is called, and its file.", example: "after-login",
        required: true),
      KeyRule(
        .of, .expression, "The value; without it, the whole stage.",
        example: "session.user"),
    ])

  private static let ofScenarios: [Place] = [.scenario, .finally]
}
