import CTexts
import Protocols
import TextSearch
import Values

/// The most bytes of rows, or of what they open, that the page parses at once.
private let blockBytes = 150 << 10

/// Returns a run as one page of HTML without anything outside of it.
///
/// All data are compressed in elements of their own. The page's script expands one when it is
/// needed, and shows it as text only, so that no text of a run can become markup.
package func htmlReport(_ run: RunReport) -> String {
  let page = ReportPage(run)
  let (rows, details) = page.blocks(atMost: blockBytes)
  var text = PageText.beginning(summary: humanSummary(run))
  text += chunk("head", page.head(blocks: rows.count))
  for (index, block) in rows.enumerated() { text += chunk("rows\(index)", block) }
  for (index, block) in details.enumerated() { text += chunk("details\(index)", block) }
  for (index, row) in page.rows.enumerated() {
    for (number, piece) in row.pieces.enumerated() {
      text += element("piece\(index)-\(number)", piece)
    }
    if let courses = page.courses(of: row) { text += chunk("courses\(index)", courses) }
    for (number, course) in row.courses.enumerated() {
      for (part, piece) in (course.timeline?.writtenPieces ?? []).enumerated() {
        text += element("course\(index)-\(number)-\(part)", piece)
      }
    }
  }
  return text + PageText.end
}

private func chunk(_ id: String, _ json: String) -> String {
  element(id, Base64.encode(deflatedRaw(Array(json.utf8))))
}

private func element(_ id: String, _ base64: String) -> String {
  "<script type=\"text/plain\" id=\"\(id)\">\(base64)</script>\n"
}

/// The parts of the page that are the same for all runs.
private enum PageText {
  static let script = String(cString: ctexts_page_script())
  static let style = String(cString: ctexts_page_style())

  static func beginning(summary: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <title>Rehearsal report</title>
    <style>\(style)</style>
    </head>
    <body>
    <a class="skip" href="#main">Skip to the scenarios</a>
    <header id="top"><h1>Rehearsal report</h1><p id="summary">\(escaped(summary))</p></header>
    <main id="main" tabindex="-1">
    <noscript><p>The scenarios need JavaScript, which this page brings along.</p></noscript>
    </main>
    <div id="said" role="status" aria-live="polite"></div>

    """
  }

  static var end: String { "<script>\(script)</script>\n</body>\n</html>\n" }

  /// The page loads nothing, and runs no other script than its own.
  private static var policy: String {
    "default-src 'none'; script-src '\(hash(of: script))'; style-src '\(hash(of: style))'; "
      + "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
  }

  private static func hash(of text: String) -> String {
    let digits = Array(SHA256.digest(of: Array(text.utf8)).utf8)
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { place in
      UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
    }
    return "sha256-" + Base64.encode(bytes)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
