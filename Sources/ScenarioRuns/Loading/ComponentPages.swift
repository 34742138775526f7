import Diagnostics

/// The pages of `rehearse explain` about components.
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
    id: "component-not-found", title: "A component file that does not exist",
    text: """
      Rehearsal looks for a component beside the file that uses it, and then in the folders above.
      It searches as far up as the path on the command line goes.
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
      The path of a component leads to a file with text, not to a folder. The user who runs the
      command must be allowed to read it.
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
      Components may use others, and what a component uses becomes part of it. A component that is
      part of itself would never end.
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
      Each use of a component creates it again, with all that it uses. Components that use others
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
      A component may use another, which uses a third, up to 16 levels deep. Names that nest deeper
      are hard to follow.
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
      A component is a piece of a stage: one document, without steps. The scenarios that use it have
      the steps.
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
      The name of a component is the name of its file, up to the first dot. If that is no valid
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
      A parameter takes values of its `type`, and without one values of the same type as its
      default: text, an integer, a number, a truth value, a duration, a list or a map. A parameter
      of the type `source` takes the name of a source, without `${…}`.
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
      Rehearsal evaluates the parameters of a component when it loads the file: from plain values,
      variables, the environment and the columns of a table. The clock and the stage are only known
      in a run.
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
