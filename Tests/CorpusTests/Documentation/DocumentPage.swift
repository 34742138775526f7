import TestKit

/// A page of the documentation as a sequence of prose and fenced blocks.
struct DocumentPage {
  /// One part of a page.
  enum Part {
    case prose(String)
    /// What stands behind the fence, and the lines inside.
    case block(info: String, text: String)
  }

  var path: String
  var parts: [Part] = []

  /// Returns nil if there is no such page.
  init?(_ path: String) {
    guard let text = fileText(path) else { return nil }
    self.path = path
    var lines: [Substring] = []
    var fence: Substring?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("```") else {
        lines.append(line)
        continue
      }
      let inside = lines.map { $0 + "\n" }.joined()
      parts.append(fence.map { .block(info: String($0), text: inside) } ?? .prose(inside))
      fence = fence == nil ? line.dropFirst(3) : nil
      lines = []
    }
    parts.append(.prose(lines.joined(separator: "\n")))
  }

  /// The text of all blocks.
  var code: String {
    parts.map { if case .block(_, let text) = $0 { text } else { "" } }.joined()
  }

  /// The codes in the last columns of tables.
  var formsInTables: [String] {
    parts.flatMap { part -> [String] in
      guard case .prose(let text) = part else { return [] }
      let rows = text.replacing("\\|", with: "\u{1}").split(separator: "\n").filter {
        $0.hasPrefix("| ")
      }
      return rows.flatMap { row in
        let cell = row.split(separator: "|").last { !$0.allSatisfy { $0 == " " } } ?? ""
        return cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset % 2 == 1 }.map { String($0.element.replacing("\u{1}", with: "|")) }
      }
    }
  }

  /// The page's text.
  var text: String {
    parts.map { part in
      switch part {
      case .prose(let text): text
      case .block(let info, let text): "```\(info)\n\(text)```\n"
      }
    }.joined()
  }
}

/// What a fenced block is for. Words behind the language are not shown to readers.
enum DocumentBlock {
  /// ```` ```yaml prices.scenario.yaml ````: a file of the page's folder. A later block with the
  /// same name replaces it.
  case file(name: String)
  /// ```` ```console ````: commands behind `$ `, each with what it prints.
  case console
  /// ```` ```yaml ````: a scenario that passes.
  case scenario
  /// The code of another tool, which is only read.
  case foreign
  /// A block that says nothing about how it is checked.
  case unchecked

  init(info: String, text: String) {
    let words = info.split(separator: " ")
    if words.count == 2, words[1].contains(".") {
      self = .file(name: String(words[1]))
    } else if words == ["console"] {
      self = .console
    } else if words == ["yaml"], text.hasPrefix("scenario:") {
      self = .scenario
    } else if words.count == 2, words[1] == "foreign" {
      self = .foreign
    } else {
      self = .unchecked
    }
  }
}

/// A command of a `console` block, with the lines that it prints.
struct ConsoleCommand {
  var line: String
  var output: String

  /// Returns the commands of a block. Lines before the first one belong to none.
  static func commands(in block: String) -> [ConsoleCommand] {
    var commands: [ConsoleCommand] = []
    for line in block.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.hasPrefix("$ ") {
        commands.append(ConsoleCommand(line: String(line.dropFirst(2)), output: ""))
      } else if !commands.isEmpty {
        commands[commands.count - 1].output += line + "\n"
      }
    }
    return commands
  }

  var text: String { "$ \(line)\n\(output)" }

  /// Whether two outputs differ only in times below a second, in ports, in blanks, in the numbers
  /// of events, and in whether the machine was too slow.
  static func areEqual(_ one: String, _ other: String) -> Bool {
    comparable(one) == comparable(other)
  }

  private static func comparable(_ output: String) -> String {
    let all = output.split(separator: "\n", omittingEmptySubsequences: false)
    let lines = all.filter { !$0.drop { $0 == " " }.hasPrefix("= machine ") }.map { line in
      line.replacing(#/event \d+(,|$)/#, with: "event N")
        .replacing(#/(\S) {2,}/#) { "\($0.output.1) " }
        .replacing(#/\bin \d+(\.\d+)?(µs|ms|s)\b/#, with: "in TIME")
        .replacing(#/\bvirtual \d+(\.\d+)?ms\b/#, with: "virtual TIME")
        .replacing(#/\b(\d+\.\d{3,}s|\d+\.\d+ms)\b/#, with: "TIME")
        .replacing(#/127\.0\.0\.1(:| port )\d+/#, with: "127.0.0.1:PORT")
        .replacing(#/ +$/#, with: "")
    }
    return String(lines.joined(separator: "\n").trimmingPrefix("\n"))
  }
}
