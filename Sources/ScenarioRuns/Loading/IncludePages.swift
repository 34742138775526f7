import Diagnostics

/// The pages of `rehearse explain` about files of steps.
package let includePages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "include-not-found", title: "A file of steps that does not exist",
    text: """
      Rehearsal looks for an included file beside the file that includes it, and then in the folders
      above. It searches as far up as the path on the command line goes.
      """,
    wrong: """
      scenario: A counter
      graph: { total: 0 }
      steps:
        - include: steps/cuont.steps.yaml
      """,
    right: right, files: [count]),
  DiagnosticPage(
    id: "include-unreadable", title: "A file of steps that cannot be read",
    text: """
      The path of an included file leads to a file with text, not to a folder. The user who runs the
      command must be allowed to read it.
      """,
    wrong: """
      scenario: A counter
      graph: { total: 0 }
      steps:
        - include: steps
      """,
    right: right, files: [count]),
  DiagnosticPage(
    id: "include-cycle", title: "Steps that include themselves",
    text: """
      A file of steps may include others, and their steps replace the step `include`. A file that
      includes itself would never end. Use `repeat` for steps that run several times.
      """,
    wrong: """
      scenario: A counter
      graph: { total: 0 }
      steps:
        - include: steps/again.steps.yaml
      """,
    right: """
      scenario: A counter
      graph: { total: 0 }
      steps:
        - repeat: 3
          steps:
            - include: steps/count.steps.yaml
      """,
    files: [
      count,
      DiagnosticPage.File(
        "steps/again.steps.yaml",
        """
        steps:
          - set: { total: "${total + 1}" }
          - include: again.steps.yaml
        """),
    ]),
  DiagnosticPage(
    id: "not-a-steps-file", title: "A file that holds no steps to include",
    text: """
      A file of steps is one document with `steps`, and with `params` if it takes values. The stage
      belongs to the scenario that includes the steps, so the file has none.
      """,
    wrong: """
      scenario: A counter
      graph: { total: 0 }
      steps:
        - include: steps/scenario.steps.yaml
      """,
    right: right,
    files: [
      count,
      DiagnosticPage.File(
        "steps/scenario.steps.yaml",
        """
        scenario: Another
        steps: [{ set: { total: 1 } }]
        """),
    ]),
  DiagnosticPage(
    id: "too-many-includes", title: "More included files than a scenario may have",
    text: """
      Each `include` adds the steps of its file to the scenario, and those of the files inside it.
      Files that include each other twice soon make more steps than a run can handle.
      """,
    wrong: """
      scenario: A counter
      graph: { total: 0 }
      steps:
        - include: steps/one.steps.yaml    # includes `two` ten times, which includes `three` …
      """,
    right: right, files: [count]),
  DiagnosticPage(
    id: "includes-too-deep", title: "Included files inside of each other",
    text: """
      A file of steps may include others, up to 16 levels deep. Steps that nest deeper are hard to
      follow.
      """,
    wrong: """
      scenario: A counter
      graph: { total: 0 }
      steps:
        - include: steps/one.steps.yaml    # includes `two`, which includes `three` …
      """,
    right: right, files: [count]),
]

private let count = DiagnosticPage.File(
  "steps/count.steps.yaml",
  """
  params: { step: 1 }
  steps:
    - set: { total: "${total + step}" }
  """)

private let right = """
  scenario: A counter
  graph: { total: 0 }
  steps:
    - include: { path: steps/count.steps.yaml, with: { step: 2 } }
    - check: total == 2
  """
