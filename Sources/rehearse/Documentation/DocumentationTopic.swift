/// A page of the documentation.
///
/// The index of the pages, `llms.txt`, the site and `rehearse docs` are made from this list.
struct DocumentationTopic: Sendable, Equatable {
  /// The part of the index that a page belongs to.
  enum Group: String, CaseIterable {
    case begin = "Begin here"
    case components = "Ready-made counterparts"
    case jobs = "From nothing to a found fault"
    case tasks = "Tasks"
    case guides = "Guides"
    case comingFrom = "Coming from"
    case reference = "Reference"
  }

  var group: Group
  /// The path below `docs`.
  var path: String
  var title: String
  /// The contents of the page, as the end of a line.
  var purpose: String

  init(_ group: Group, _ path: String, _ title: String, _ purpose: String) {
    self.group = group
    self.path = path
    self.title = title
    self.purpose = purpose
  }

  /// The name on the command line: the last part of the path, without its extension.
  var name: String {
    let file = path.split(separator: "/").last ?? ""
    if path == "reference.md" { return "keys" }
    return String(file.dropLast(".md".count))
  }

  static let all = beginning + jobs + tasks + components + guides + comingFrom + reference

  private static let beginning = [
    DocumentationTopic(.begin, "tutorial.md", "Tutorial", "one file, grown in seven steps"),
    DocumentationTopic(
      .begin, "language.md", "The language", "how a scenario works, and its four chapters"),
    DocumentationTopic(
      .begin, "language/stage.md", "The stage",
      "what exists: values, reactors, endpoints, connections, streams, components"),
    DocumentationTopic(
      .begin, "language/script.md", "The script",
      "what happens: steps, time, requests, retrying, the network"),
    DocumentationTopic(
      .begin, "language/expectations.md", "Expectations",
      "what must be seen: orders, matchers, diagrams, snapshots, invariants"),
    DocumentationTopic(
      .begin, "language/worlds.md", "Worlds",
      "mocks in memory, sockets, real servers, drift, real time"),
    DocumentationTopic(.begin, "glossary.md", "Glossary", "our terms"),
  ]

  private static let jobs = [
    DocumentationTopic(
      .jobs, "jobs/mock-a-stream.md", "Mock a stream for a front end",
      "before there is a server, with pauses and breaks"),
    DocumentationTopic(
      .jobs, "jobs/does-my-agent-act-twice.md", "Does my agent act twice?",
      "when an answer is lost after the work was done"),
    DocumentationTopic(
      .jobs, "jobs/chat-ui-after-a-reconnect.md", "My chat UI after a reconnect",
      "a message that is shown twice, or half of it"),
    DocumentationTopic(
      .jobs, "jobs/back-off-of-a-client.md", "The back-off of a client",
      "a minute of waiting in a second, and exact"),
    DocumentationTopic(
      .jobs, "jobs/mcp-or-a2a-author.md", "I write an MCP or A2A server",
      "its answers, asked for as a client does"),
  ]

  private static let tasks = [
    DocumentationTopic(
      .tasks, "tasks/websocket-clients.md", "A WebSocket client",
      "it joins again when the line comes back"),
    DocumentationTopic(
      .tasks, "tasks/receiving-webhooks.md", "Receiving webhooks", "signed, and counted once"),
    DocumentationTopic(
      .tasks, "tasks/app-state.md", "The state of an app", "the last question wins"),
    DocumentationTopic(
      .tasks, "tasks/uploads-and-caching.md", "Uploads and caching",
      "parts of forms, and answers without a body"),
    DocumentationTopic(
      .tasks, "tasks/staging.md", "A suite against staging",
      "the same files for mocks and for a real server"),
  ]

  private static let guides = [
    DocumentationTopic(
      .guides, "guides/testing-a-client.md", "Testing a client",
      "programs in any language, and clients that somebody else starts"),
    DocumentationTopic(
      .guides, "guides/programs-in-virtual-time.md", "Programs in virtual time",
      "any command without its waits: how it works, and what it cannot do"),
    DocumentationTopic(
      .guides, "guides/testing-a-server.md", "Testing a server",
      "with nothing but its URL, and with a mock beside it"),
    DocumentationTopic(
      .guides, "guides/test-runners.md", "In your test runner",
      "pytest, node:test, Vitest, Jest, JUnit 5 and Go"),
    DocumentationTopic(
      .guides, "guides/mock-with-login.md", "A mock that asks for a login",
      "guards that stay closed, and clients that forget the token"),
    DocumentationTopic(
      .guides, "guides/streams.md", "Streams", "publishers, operators and diagrams"),
    DocumentationTopic(
      .guides, "guides/reconnection.md", "Reconnection",
      "clients that lose their connection, and bad networks"),
    DocumentationTopic(
      .guides, "sweep.md", "Sweeps", "every cut and every lost answer, and the same end"),
    DocumentationTopic(.guides, "guides/data-tables.md", "Data tables", "one scenario, many cases"),
    DocumentationTopic(
      .guides, "guides/keeping-secrets.md", "Keeping secrets",
      "passwords and tokens that no report shows"),
    DocumentationTopic(
      .guides, "guides/debugging.md", "Debugging a failure", "from the report to the cause"),
    DocumentationTopic(
      .guides, "guides/judging-logs.md", "Judging logs",
      "lines of any program, while they come or afterwards"),
    DocumentationTopic(
      .guides, "authoring.md", "Writing scenarios",
      "a first suite, one form for all files, help in editors and shells"),
    DocumentationTopic(
      .guides, "suites.md", "Suites", "parts of a suite, several machines, limits of time"),
    DocumentationTopic(
      .guides, "ci.md", "On a build server", "recipes for GitHub, GitLab, Jenkins and Kubernetes"),
    DocumentationTopic(
      .guides, "traces.md", "Traces", "recording a run, asking about it, replaying and judging it"),
    DocumentationTopic(
      .guides, "programs.md", "Programs", "clients and servers that a scenario starts"),
    DocumentationTopic(.guides, "serving.md", "Serving", "mocks for clients outside"),
    DocumentationTopic(
      .guides, "swift.md", "Swift", "the libraries, and Swift objects as subjects"),
    DocumentationTopic(
      .guides, "performance.md", "Performance", "what a run costs, and how a change is measured"),
    DocumentationTopic(
      .guides, "installing.md", "Installing",
      "with pip or npm, as a Debian package, in a container, from source"),
    DocumentationTopic(
      .guides, "upgrading.md", "Upgrading", "what changes in your scenarios with version 0.2"),
  ]

  private static let comingFrom = [
    DocumentationTopic(
      .comingFrom, "coming-from/hurl.md", "Coming from Hurl", "requests and asserts in files"),
    DocumentationTopic(
      .comingFrom, "coming-from/karate.md", "Coming from Karate", "features, matches and mocks"),
    DocumentationTopic(
      .comingFrom, "coming-from/wiremock.md", "Coming from WireMock",
      "stubs, scenarios and faults"),
    DocumentationTopic(
      .comingFrom, "coming-from/playwright.md", "Coming from Playwright",
      "API tests, routes and assertions that wait"),
    DocumentationTopic(
      .comingFrom, "coming-from/rxjs-marbles.md", "Coming from RxJS marbles",
      "the test scheduler and its diagrams"),
  ]

  private static let reference = [
    DocumentationTopic(
      .reference, "reference.md", "Keys",
      "every key of the language, with steps, matchers and operators of streams"),
    DocumentationTopic(
      .reference, "functions.md", "Functions", "the functions of expressions, with examples"),
    DocumentationTopic(
      .reference, "reference/command-line.md", "Command line", "commands, options, exit codes"),
    DocumentationTopic(
      .reference, "reference/diagnostics.md", "Diagnostics",
      "every error and warning, with a wrong example and a right one"),
    DocumentationTopic(.reference, "reference/limits.md", "Limits", "the bounds of a run"),
    DocumentationTopic(
      .reference, "reference/environment.md", "Environment", "the variables that Rehearsal reads"),
    DocumentationTopic(
      .reference, "reference/messages.md", "Messages of `serve --json`",
      "how test runners talk to a mock, and the ids of scenarios"),
    DocumentationTopic(
      .reference, "reports.md", "Reports", "the HTML report, and the formats for programs"),
    DocumentationTopic(
      .reference, "secrets.md", "Secrets", "what is masked, and whose scenarios to run"),
    DocumentationTopic(
      .reference, "stability.md", "Stability", "the interfaces that stay, and what may change"),
  ]
}

/// Returns the index of the documentation, `docs/README.md`.
func documentationIndexPage() -> String {
  let sections = DocumentationTopic.Group.allCases.map { group in
    "\n## \(group.rawValue)\n\n" + topicLines(of: group, below: "")
  }
  return """
    # Documentation

    Rehearsal runs [scenarios](glossary.md#scenario) for reactive clients and streaming endpoints.
    `rehearse docs` lists these pages in the terminal, `rehearse docs TOPIC` shows one, and
    `rehearse docs WORD…` searches them all.

    """ + sections.joined()
}

/// Returns the links to a group's pages, each on a line.
func topicLines(of group: DocumentationTopic.Group, below folder: String) -> String {
  DocumentationTopic.all.filter { $0.group == group }
    .map { "- [\($0.title)](\(folder)\($0.path)): \($0.purpose).\n" }.joined()
}
