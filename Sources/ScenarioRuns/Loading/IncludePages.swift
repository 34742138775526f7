import Diagnostics

/// What `rehearse explain` tells about files of steps and those who include them.
package let includePages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "include-not-found", title: "A file of steps that is not there",
    text: """
      The path of an included file begins beside the file that includes it, or in one of the folders
      above, as far as the path tells that the command was given.
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
      The path of an included file leads to a file with text, not to a folder, and the file may be
      read by whoever runs the command.
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
      A file of steps may include others, and their steps stand in the place of the step. Were one
      of them the file itself, there would be no end to it. What is to be done again and again
      stands in a `repeat`.
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
      A file of steps is one document with `steps`, and `params` where they are given something. The
      stage belongs to the scenario that includes them, so there is none in the file.
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
      Each `include` puts the steps of its file into the scenario once more, and those of the files
      inside it. Files that include each other twice soon make more steps than anyone has written.
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
      A file of steps may include others, and those yet others, up to 16 levels. Nobody can follow
      steps that are further away.
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
