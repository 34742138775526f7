/// Returns the tables of the format, as `docs/traces.md` shows them.
package func traceReference() -> String {
  [headerTable, memberTable, encodingTable, kindTable].joined(separator: "\n\n")
}

private var headerTable: String {
  table(
    ["header", "is"], TraceHeaderMember.allCases.map { ["`\($0.rawValue)`", $0.purpose] })
}

private var memberTable: String {
  table(["member", "is"], TraceMember.allCases.map { ["`\($0.rawValue)`", $0.purpose] })
}

private var encodingTable: String {
  table(["key", "holds"], TraceEncoding.allCases.map { ["`\($0.rawValue)`", $0.purpose] })
}

private var kindTable: String {
  table(
    ["kind", "value", "sent by", "compared"],
    TraceKind.table.map { row in
      ["`\(row.kind.rawValue)`", row.value, row.senders.text, row.kind.comparison.text]
    })
}

private func table(_ heads: [String], _ rows: [[String]]) -> String {
  let rule = heads.map { _ in "---" }
  let lines = ([heads, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
  return lines.joined(separator: "\n")
}

extension TraceKindEntry.Comparison {
  fileprivate var text: String {
    switch self {
    case .always: "yes"
    case .unlessOfProgram: "unless a program emitted it"
    case .bySender: "if the running side sent it"
    case .input: "no, it is an input"
    case .never: "no"
    }
  }
}

extension TraceKindEntry.Senders {
  fileprivate var text: String {
    switch self {
    case .none: ""
    case .client: "client"
    case .server: "server"
    case .both: "both"
    }
  }
}
