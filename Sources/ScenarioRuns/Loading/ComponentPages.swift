import Diagnostics

/// What `rehearse explain` tells about components and their use.
package let componentPages: [DiagnosticPage] = componentFilePages + componentUsePages

private let counter = DiagnosticPage.File(
  "components/counter.component.yaml",
  """
  component: A counter
  params: { step: 1 }
  graph: { total: "${step}" }
  """)

private let componentFilePages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "component-not-found", title: "A component file that is not there",
    text: """
      The path of a component begins beside the file that uses it, or in one of the folders above,
      as far as the path tells that the command was given.
      """,
    wrong: """
      scenario: A counter
      use: [components/conuter.component.yaml]
      steps:
        - check: conuter.total == 1
      """,
    right: """
      scenario: A counter
      use: [components/counter.component.yaml]
      steps:
        - check: counter.total == 1
      """, files: [counter]),
  DiagnosticPage(
    id: "component-unreadable", title: "A component file that cannot be read",
    text: """
      The path of a component leads to a file with text, not to a folder, and the file may be read
      by whoever runs the command.
      """,
    wrong: """
      scenario: A counter
      use: [{ components: { as: counter } }]
      steps:
        - check: counter.total == 1
      """,
    right: """
      scenario: A counter
      use: [components/counter.component.yaml]
      steps:
        - check: counter.total == 1
      """, files: [counter]),
  DiagnosticPage(
    id: "component-cycle", title: "A component that is part of itself",
    text: """
      Components may use others, and what a component uses becomes part of it. Were one part of
      itself, there would be no end to it.
      """,
    wrong: """
      scenario: A clock
      use: [components/clock.component.yaml]
      steps:
        - check: clock.hours == 0
      """,
    right: """
      scenario: A counter
      use: [components/counter.component.yaml]
      steps:
        - check: counter.total == 1
      """,
    files: [
      counter,
      .init(
        "components/clock.component.yaml",
        """
        component: A clock
        use: [components/clock.component.yaml]
        graph: { hours: 0 }
        """),
    ]),
  DiagnosticPage(
    id: "too-many-components", title: "More components than a scenario may hold",
    text: """
      Each use of a component makes it anew, with all that it uses. Components that use others
      several times would soon be millions.
      """,
    wrong: """
      # A scenario that uses a component, which uses two, each of which uses two, and so on.
      """,
    right: """
      # A scenario that uses each component where it is needed.
      """),
  DiagnosticPage(
    id: "components-too-deep", title: "Components that nest too deep",
    text: """
      A component may use another, which uses a third; after some levels nobody could tell any more
      what a name stands for.
      """,
    wrong: """
      # A scenario that uses a component, which uses another, and so on, seventeen levels deep.
      """,
    right: """
      # A scenario that uses the components it needs itself.
      """),
  DiagnosticPage(
    id: "not-a-component", title: "A file that is no component",
    text: """
      A component is a piece of a stage: one document, and no steps. What happens, and what must be
      seen, is written in the scenarios that use it.
      """,
    wrong: """
      scenario: A counter
      use: [components/steps.component.yaml]
      steps:
        - check: steps.total == 1
      """,
    right: """
      scenario: A counter
      use: [components/counter.component.yaml]
      steps:
        - check: counter.total == 1
      """,
    files: [
      counter,
      .init(
        "components/steps.component.yaml",
        """
        component: A counter
        graph: { total: 1 }
        steps: [{ set: { total: 2 } }]
        """),
    ]),
]

private let componentUsePages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "component-without-name", title: "A component whose file name is no name",
    text: """
      A component is called what its file is called, up to the first dot. Where that cannot be a
      name, `as` gives it one.
      """,
    wrong: """
      scenario: A counter
      use: [components/my-counter.component.yaml]
      """,
    right: """
      scenario: A counter
      use: [{ components/my-counter.component.yaml: { as: mine } }]
      steps:
        - check: mine.total == 1
      """, files: [.init("components/my-counter.component.yaml", counter.text)]),
  DiagnosticPage(
    id: "parameter-type", title: "A value that is not what a parameter takes",
    text: """
      A parameter takes what its `type` says, and without one what its default is: text, an
      integer, a number, a truth value, a duration, a list or a map.
      """,
    wrong: """
      scenario: A counter
      use: [{ components/counter.component.yaml: { with: { step: two } } }]
      """,
    right: """
      scenario: A counter
      use: [{ components/counter.component.yaml: { with: { step: 2 } } }]
      steps:
        - check: counter.total == 2
      """, files: [counter]),
  DiagnosticPage(
    id: "parameter-not-fixed", title: "A parameter that would differ from run to run",
    text: """
      What a component is given is worked out when the file is loaded: from plain values, variables,
      the environment and the columns of a table. The clock and what stands on the stage are only
      known in a run.
      """,
    wrong: """
      scenario: A counter
      use: [{ components/counter.component.yaml: { with: { step: "${int(now())}" } } }]
      """,
    right: """
      scenario: A counter
      vars: { step: 2 }
      use: [{ components/counter.component.yaml: { with: { step: "${step + 1}" } } }]
      steps:
        - check: counter.total == 3
      """, files: [counter]),
]
