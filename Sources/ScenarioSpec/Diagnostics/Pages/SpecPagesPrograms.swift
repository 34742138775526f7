import Diagnostics

let programSpecPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "programs-in-virtual-time", title: "Programs in virtual time",
    text: """
      A program runs by the clock of the machine. A scenario with programs runs in real time in each
      world, and its endpoints are on sockets.
      """,
    wrong: """
      scenario: A client
      time: virtual
      programs: { client: { run: [cat] } }
      steps:
        - terminate: client
      """,
    right: """
      scenario: A client
      programs: { client: { run: [cat] } }
      steps:
        - terminate: client
      """)
]
