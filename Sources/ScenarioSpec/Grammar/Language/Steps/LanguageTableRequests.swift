extension LanguageTable {
  static let requestSteps = [
    StepRule(
      .acting,
      KeyRule(
        .request, .mapping(.request),
        "One HTTP exchange with an endpoint, judged in place; nothing else has to expect it.",
        example: "{ endpoint: api, get: /tasks, expect: { status: 200 } }", required: true),
      with: [soft], in: [.scenario, .finally], takesTime: true)
  ]

  package static let request = MappingRule(
    .request, title: "A request",
    "What is sent to an endpoint, how its answer is awaited, and what it must be like.",
    exactlyOneOf: [requestMethods + [.method]],
    atMostOneOf: [bodyKeys],
    needs: [Need(key: .method, oneOf: [.path]), Need(key: .path, oneOf: [.method])],
    keys: [
      KeyRule(.endpoint, .address, "The endpoint of the request.", example: "api", required: true)
    ] + requestMethods.map(requestRule) + [
      KeyRule(.method, .scalar, "Any other method, with `path` beside it.", example: "PURGE"),
      KeyRule(.path, .scalar, "The path of the request, beside `method`.", example: "/cache"),
    ] + requestParts + requestBodies + [
      KeyRule(
        .expect, .mapping(.expectedAnswer),
        "What the answer is like; without it, any answer will do.",
        example: "{ status: 200, json: { id: { $as: id } } }"),
      KeyRule(
        .as, .name, "Captures the answer: its `status`, `headers`, and `json` or `text`.",
        example: "created"),
    ])

  /// The keys of every request: of a step, a provider, a stream or a WebSocket.
  static let requestParts =
    [
      KeyRule(
        .query, itemsShape, "What is added to the path behind `?`; a list repeats the name.",
        example: "{ q: tea time, tag: [a, b] }")
    ] + requestTerms

  /// The same without `query`, which providers read in another way.
  static let requestTerms = [
    KeyRule(
      .headers, itemsShape, "Header fields of the request; a list repeats the field.",
      example: "{ Accept: application/json }"),
    KeyRule(
      .auth, .mapping(.authorization), "Who asks: the `Authorization` header.",
      example: "{ bearer: '${token}' }"),
    KeyRule(
      .cookies, .anyOf([.map(.text, .scalar), .words(["none"])]),
      "Cookies besides those that are kept for the endpoint; `none` forgets the latter.",
      example: "{ theme: dark }"),
    KeyRule(
      .session, .scalar,
      "The session that sends the request: it has cookies and connections of its own. Without it, "
        + "all clients of the scenario share one.",
      example: "bob"),
    KeyRule(
      .redirects, .integer(0...50),
      "How many redirects are followed. The default is 0, and 10 for an event stream or lines.",
      example: "5"),
    KeyRule(
      .timeout, .tick,
      "How long the answer is awaited: of a step, in place of the scenario's timeout; of a stream "
        + "or a WebSocket, until it is open.",
      example: "2s"),
  ]

  /// The keys of a request's body. A request has at most one of them.
  static let requestBodies = [
    KeyRule(.json, .value, "The body, sent as JSON.", example: "{ title: Write }"),
    KeyRule(
      .form, itemsShape, "The body, sent as a form does; a list repeats the name.",
      example: "{ user: ann, role: [reader, writer] }"),
    KeyRule(.text, .scalar, "The body, sent as text.", example: "Write"),
    KeyRule(
      .file, .scalar, "A file whose bytes are the body, relative to the folder of this file.",
      example: "photo.jpg"),
    KeyRule(
      .multipart, .list(.mapping(.part)), "The parts of a body of type `multipart/form-data`.",
      example: "[{ name: title, text: Write }]"),
  ]

  static let bodyKeys: [Key] = [.json, .form, .text, .file, .multipart]

  package static let authorization = MappingRule(
    .authorization, title: "Who asks", "The `Authorization` header of a request.",
    exactlyOneOf: [[.basic, .bearer]],
    keys: [
      KeyRule(
        .basic, .mapping(.credentials), "A user and a password.",
        example: "{ user: ann, password: '${password}' }"),
      KeyRule(.bearer, .scalar, "A token.", example: "${token}"),
    ])

  package static let credentials = MappingRule(
    .credentials, title: "Credentials", "What basic authorization sends.",
    keys: [
      KeyRule(.user, .scalar, "The user.", example: "ann", required: true),
      KeyRule(.password, .scalar, "The password.", example: "${password}", required: true),
    ])

  package static let part = MappingRule(
    .part, title: "A part of a body", "One part of a body of type `multipart/form-data`.",
    exactlyOneOf: [[.text, .json, .file]],
    keys: [
      KeyRule(.name, .scalar, "The name of the part.", example: "title", required: true),
      KeyRule(.text, .scalar, "What it holds, as text.", example: "Write"),
      KeyRule(.json, .value, "What it holds, as JSON.", example: "{ done: false }"),
      KeyRule(
        .file, .scalar, "A file with its content, relative to the folder of this file.",
        example: "photo.jpg"),
      KeyRule(
        .filename, .scalar, "What the file is called; without it, the last part of its path.",
        example: "me.jpg"),
      KeyRule(
        .contentType, .scalar, "The type of the contents; by default, by the file's name.",
        example: "image/jpeg"),
    ])

  package static let expectedAnswer = MappingRule(
    .expectedAnswer, title: "What an answer is like",
    "Each part that is named here must match; `$as` captures for later steps.",
    keys: [
      KeyRule(
        .status, .matcher, "The status code; `2xx` stands for all that begin with 2.",
        example: "{ $in: [200, 201] }"),
      KeyRule(
        .headers, .map(.text, .matcher), "Header fields, their names in any case.",
        example: "{ Content-Type: { $contains: json } }"),
      KeyRule(
        .cookies, .map(.text, .matcher),
        "Cookies the answer sets: the value, or a map with `value`, `path`, `maxAge` and such.",
        example: "{ session: { $as: session } }"),
      KeyRule(.json, .matcher, "The body, read as JSON.", example: "{ id: { $as: id } }"),
      KeyRule(.text, .matcher, "The body as text.", example: "{ $contains: saved }"),
      KeyRule(.bytes, .matcher, "The body as bytes.", example: "{ $size: 1024 }"),
      KeyRule(
        .path, .matcher, "The path that was answered, with its query; redirects change it.",
        example: "/tasks/1"),
      KeyRule(.redirects, .matcher, "How many redirects were followed.", example: "1"),
      KeyRule(.within, .tick, "The longest time the exchange may take.", example: "300ms"),
    ])

  /// The parts of an answer that have matchers.
  static let partsOfAnswer: [Key] = [
    .status, .headers, .cookies, .json, .text, .bytes, .path, .redirects,
  ]

  static let itemsShape = Shape.map(.text, .anyOf([.scalar, .list(.scalar)]))
}
