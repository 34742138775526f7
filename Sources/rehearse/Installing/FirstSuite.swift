import ScenarioSpec
import TextSearch

/// A file that `rehearse init` writes.
struct FirstFile: Sendable {
  var name: String
  /// The subject that it teaches, in a few words.
  var purpose: String
  var content: String
  var isScript: Bool { name.hasSuffix(".sh") }

  /// The text for a folder, which stands for `FOLDER`.
  func text(_ folder: String) -> String { content.replacing("FOLDER", with: folder) }
}

/// A small suite: each file is read in a minute and shows one thing.
let firstSuite = [
  FirstFile(
    name: "1-state.scenario.yaml", purpose: "values, and what follows from them",
    content: """
      \(modeline)
      scenario: A counter knows whether it is even

      graph:
        count: 0                              # a value
        isEven: { computed: count % 2 == 0 }  # follows from it

      steps:
        - check: isEven  # what holds now
        - set: { count: 1 }
        - expect:  # what was emitted since the last step
            count: 1
            isEven: false
        - set: { count: 3 }  # odd again: isEven has nothing to emit
        - expect: { count: 3 }

      """),
  FirstFile(
    name: "2-mock.scenario.yaml", purpose: "a mock of an HTTP endpoint, and requests",
    content: """
      \(modeline)
      scenario: A task is made, and found again

      endpoints:
        api:
          url: ${env.API_URL}  # only asked for with `--against real`
          http:                # how the mock answers
            - post: /tasks
              respond: { status: 201, json: { id: 7, title: Write } }
            - get: /tasks/7
              respond: [{ status: 503, after: 2s }, { json: { id: 7, title: Write } }]

      steps:
        - request:
            endpoint: api
            post: /tasks
            json: { title: Write }
            expect: { status: 201, json: { id: { $as: id } } }
        - retry: { until: found.status == 200, every: 1s, timeout: 10s }
          steps:  # the seconds take no time: the clock is virtual
            - request: { endpoint: api, get: "/tasks/${id}", as: found }
        - check: found.json.title == 'Write'

      """),
  FirstFile(
    name: "3-stream.scenario.yaml", purpose: "a stream that breaks, and a client that comes back",
    content: """
      \(modeline)
      scenario: A feed breaks off, and goes on where it was

      endpoints:
        feed:
          sse:  # connection by connection
            - accept: { path: /prices }
              script:
                - event: { id: "1", data: { price: 41 } }
                - drop  # no goodbye: the stream breaks
            - accept: { headers: { Last-Event-ID: "1" } }
              script:
                - event: { id: "2", data: { price: 42 } }
                - wait: forever

      connections:
        prices:
          sse: { endpoint: feed, path: /prices }
          retry: { maxAttempts: 3, initialDelay: 1s }

      sweep: { same: [prices] }  # `rehearse sweep` demands it wherever the line breaks

      steps:
        - connect: prices
        - expect:  # one order across all that the list names
            - prices.state: connecting
            - prices.state: connected
            - prices: { data: { price: 41 } }
            - prices.state: { disconnected: streamError }
            - prices.state: connecting
              after: 1s
            - prices.state: connected
            - prices: { data: { price: 42 } }

      """),
  FirstFile(
    name: "failure.yaml", purpose: "a scenario that fails, to see how a failure is shown",
    content: """
      \(modeline)
      scenario: A counter that does not count as expected
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect: { count: 2 }

      """),
  FirstFile(
    name: "scenario.schema.json", purpose: "the schema by which editors help",
    content: scenarioSchema()),
  FirstFile(
    name: "ci.sh", purpose: "what a build server runs",
    content: """
      #!/bin/sh
      # Runs the suite for a build server: a JUnit report beside the output for people. On GitHub,
      # failures are also shown at their lines. The exit code is 0 only if everything ran and held.
      set -eu
      exec rehearse run FOLDER --format human --format junit=rehearse-report.xml "$@"

      """),
]

/// The first line, by which editors find the schema.
private let modeline = "# yaml-language-server: $schema=./scenario.schema.json"
