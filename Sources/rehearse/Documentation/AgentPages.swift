import ScenarioSpec

/// Returns `llms.txt`: the index of the documentation in the form that language models look for.
func languageModelsPage() -> String {
  let sections = DocumentationTopic.Group.allCases.map { group in
    "\n## \(group.rawValue)\n\n" + topicLines(of: group, below: "../")
  }
  return """
    # Rehearsal

    > Rehearsal (the command `rehearse`) runs scenarios: YAML files that say what exists, what
    > happens, and which events must be seen. It tests reactive clients, HTTP APIs, event streams
    > and WebSockets, with mocks in virtual time, on sockets, or against real servers.

    [SKILL.md](SKILL.md) is a short guide for coding agents. `rehearse docs TOPIC` prints each page,
    and `rehearse explain NAME` explains a diagnostic, a key, a step, an operator or a function.

    """ + sections.joined()
}

/// Returns `SKILL.md`: what a coding agent needs in order to write and run scenarios.
func skillPage() -> String {
  [skillIntroduction, skillRules, skillScenarios, skillTables].joined(separator: "\n")
}

private let skillIntroduction = """
  ---
  name: rehearse
  description: >-
    Write, run and debug scenarios of Rehearsal (*.scenario.yaml): tests of HTTP clients and
    servers, event streams, WebSockets, reconnection and reactive state, with mocks in virtual time.
  ---

  # Rehearsal for coding agents

  Rehearsal runs scenarios. A scenario is a YAML document with a stage (what exists) and steps (what
  happens, and what must be seen).

  ## The way to work

  1. Write `NAME.scenario.yaml`. Begin with one of the examples below, or with `rehearse init`.
  2. `rehearse validate FILE` reports mistakes with their place and a help line. It runs nothing.
  3. `rehearse run FILE` runs it. A failure names the line, the actual and the expected value, the
     cause, and the command that repeats the run.
  4. Do what the line `help` says. For more, run `rehearse explain ID` with the id of `error[ID]`.
  5. `rehearse fmt FILE` writes the file in its one form.

  Do not guess names: `rehearse explain NAME` explains each key, step, operator and function, and
  `rehearse docs TOPIC` prints a page.

  """

private let skillRules = """
  ## Rules that are often broken

  - Everything in `${…}` is CEL, not JavaScript. Keys such as `check`, `computed`, `when`, `if` and
    `until` take an expression without `${…}`.
  - Quote an expression that begins with `!`, `'`, `"`, `[` or `{`, or contains `: ` or ` #`.
  - A duration has a unit: `300ms`, `2s`, `1m30s`.
  - Once an `expect` names a source, each further event of it must be expected. `ignore` ends that.
  - Time is virtual. A pause is `wait: 3s`, and takes no time. Never add one to make a test pass.
  - Do not make a matcher weaker to make a failing scenario pass. Find the cause first.

  """

private let skillScenarios = """
  ## A request

  ```yaml
  \(requestExample)```

  ## A client that stays connected

  ```yaml
  \(streamExample)```

  """

private let skillTables = """
  ## Commands

  | command | purpose |
  |---|---|
  \(Verb.allCases.map { row("`rehearse \($0.rawValue)`", $0.page.purpose) }.joined())
  | exit code | meaning |
  |---|---|
  \(ExitCode.allCases.map { row("\($0.rawValue)", $0.meaning) }.joined())
  ## Words

  \(explainedWords.map { "**\($0.title).** \(list(of: $0.words))\n" }.joined(separator: "\n"))
  """

private func list(of words: [String]) -> String {
  words.map { "`\($0)`" }.joined(separator: " ")
}

private let requestExample = """
  scenario: A task is made and found again
  endpoints:
    api:
      http:
        - post: /tasks
          respond: { status: 201, json: { id: 7, title: "${request.json.title}" } }
        - get: "/tasks/{id}"
          respond: [{ status: 503 }, { json: { id: 7, title: Write } }]
  steps:
    - request:
        endpoint: api
        post: /tasks
        json: { title: Write }
        expect: { status: 201, json: { id: { $as: id } } }
    - retry: { every: 1s, timeout: 10s }
      steps:
        - request: { endpoint: api, get: "/tasks/${id}", expect: { status: 200 } }

  """

private let streamExample = """
  scenario: A feed breaks off and returns
  endpoints:
    feed:
      sse:
        - accept: { path: /prices }
          script: [{ event: { id: "1", data: { price: 41 } } }, { wait: 5s }, drop]
        - accept: { headers: { Last-Event-ID: "1" } }
          script: [{ event: { id: "2", data: { price: 42 } } }, { wait: forever }]
  connections:
    prices:
      sse: { endpoint: feed, path: /prices }
      retry: { maxAttempts: 3, initialDelay: 1s }
  steps:
    - connect: prices
    - expect:
        - prices: { data: { price: 41 } }
        - prices: { data: { price: 42 } }
          after: 6s

  """
