extension LanguageTable {
  package static let component = MappingRule(
    .component, title: "A component",
    "A component is a piece of a stage for other files to use: it has no steps of its own.",
    keys: [
      KeyRule(
        .component, .text, "What the component is for, in a line.",
        example: "A license and its server"),
      KeyRule(
        .description, .text, "What a reader should know before reading on.",
        example: "Talks to the license server once a day."),
      parameters(of: "The values that a `use` of the component gives"),
    ] + stage + programRules)

  package static let stepsFile = MappingRule(
    .stepsFile, title: "A file of steps",
    "Steps for scripts to include, of scenarios or of mocks. They use the stage of "
      + "the script that includes them.",
    keys: [
      KeyRule(
        .description, .text, "What a reader should know before reading on.",
        example: "Logs a user in, as the login page does."),
      parameters(of: "The values that an `include` of the steps gives"),
      KeyRule(
        .steps, .anyOf(Place.ofStepsFiles.map { .script($0) }),
        "What happens, and what must be seen; or what a mock does.",
        example: "[{ set: { user: '${name}' } }]", required: true),
    ])

  package static let include = MappingRule(
    .include, title: "An included file", "A file of steps, and what it is given.",
    keys: [
      KeyRule(
        .path, .text, "The file, relative to the folder of this one or to a folder above.",
        example: "steps/login.steps.yaml", required: true),
      KeyRule(
        .with, .map(.name, .value), "Values for its parameters.", example: "{ name: Ann }"),
    ])

  private static func parameters(of text: String) -> KeyRule {
    KeyRule(
      .params,
      .anyOf([
        .list(.name),
        .map(.stageName, .anyOf([.valueWithout(wordsOfParameters), .mapping(.parameter)])),
      ]),
      "\(text); in a map, each with its default.", example: "{ grace: 7d, key: { type: text } }")
  }

  /// The keys by which a parameter that has more than a default is known.
  static let wordsOfParameters: [Key] = [.type, .default]

  package static let parameter = MappingRule(
    .parameter, title: "A parameter",
    "A parameter of a component that needs more than a default.",
    keys: [
      KeyRule(
        .type, .words(ParameterSpec.Kind.allCases.map(\.rawValue)),
        "The type of its values; without it, the type of the default.", example: "duration"),
      KeyRule(
        .default, .value, "The value if none is given; without it, every use must give one.",
        example: "7d"),
      KeyRule(
        .schema, .literal, "A JSON Schema that its values must satisfy, or the path of one.",
        example: "{ items: { type: string } }"),
      KeyRule(.about, .text, "What it is for, in a line.", example: "The names of the servers."),
    ])

  package static let use = MappingRule(
    .use, title: "A use", "How a component becomes part of the stage.",
    keys: [
      KeyRule(
        .as, .name, "The name of the component here. The default is the name of its file.",
        example: "license"),
      KeyRule(
        .with, .map(.name, .value), "Values for the component's parameters.",
        example: "{ grace: 3d }"),
    ])

  /// The shape of one element of `use`.
  static let useShape = Shape.anyOf([.text, .single(.text, .mapping(.use))])

  static let useRule = KeyRule(
    .use, .list(useShape), "Component files whose stage becomes part of this one.",
    example: "[{ components/license.component.yaml: { as: license, with: { grace: 7d } } }]")
}
