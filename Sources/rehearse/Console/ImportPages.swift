import Diagnostics
import TextSearch

/// The pages of `rehearse explain` about recordings that are imported.
let importPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "unreadable-archive", title: "A JSON file that is no HTTP Archive",
    text: """
      An HTTP Archive is a JSON object with `log`, which has the list `entries`. Browsers write one
      from their network tools.
      """,
    wrong: "{\"log\":{}}", right: "{\"log\":{\"version\":\"1.2\",\"entries\":[]}}"),
  DiagnosticPage(
    id: "nothing-to-import", title: "A recording without requests",
    text: """
      A scenario is made from the requests of a recording and what followed from them. Of an
      archive, pictures, fonts, styles and scripts are left out.
      """,
    wrong: "{\"log\":{\"entries\":[]}}",
    right: """
      {"log":{"entries":[{"request":{"method":"GET","url":"http://shop.example/cart"},
        "response":{"status":200,"content":{"mimeType":"application/json","text":"[]"}}}]}}
      """),
  DiagnosticPage(
    id: "other-recording", title: "Two recordings that are not of the same flow",
    text: """
      With two recordings, `import` finds what differs from run to run, such as ids and times. For
      that, both must hold the same requests in the same order.
      """,
    wrong: "rehearse import cart.har login.har", right: "rehearse import monday.har tuesday.har"),
]
