import Events
import Values

/// The most symbols that are explained, of those that are not the diagram's own.
private let symbolsExplained = 3

/// The symbols events are drawn by: the diagram's own where they match, else new ones.
struct MarbleSymbols {
  private var symbols: [EventID: String] = [:]
  private var explained: [(symbol: String, value: Value, event: EventID)] = []

  init(_ difference: MarbleDifference, _ names: EventNames) {
    let used = difference.marble.moments.map(\.symbol)
    var pendingCaptures = freshSymbols.filter { !used.contains($0) }[...]
    for seen in difference.seen {
      if let symbol = seen.symbol {
        symbols[seen.event] = symbol
      } else if let value = seen.value {
        symbols[seen.event] = symbol(for: value, of: seen.event, used, &pendingCaptures)
      }
    }
  }

  private mutating func symbol(
    for value: Value, of event: EventID, _ used: [String],
    _ pendingCaptures: inout ArraySlice<String>
  ) -> String {
    if case .string(let text) = value, text.count == 1, !reserved.contains(text),
      !used.contains(text)
    {
      return text
    }
    if let known = explained.first(where: { $0.value == value }) { return known.symbol }
    guard let symbol = pendingCaptures.popFirst() else { return "?" }
    explained.append((symbol, value, event))
    return symbol
  }

  func symbol(of event: EventID) -> String { symbols[event] ?? "?" }

  /// Returns the legend of a diagram, such as `x = { id: 7 }, y = 3`, without the failed event's
  /// value, which is shown anyway.
  func explanation(without event: EventID?, _ names: EventNames) -> String? {
    let entries = explained.filter { $0.event != event }.prefix(symbolsExplained).map { entry in
      "\(entry.symbol) = \(names.text(entry.value, maxLength: timelineValueLength))"
    }
    return entries.isEmpty ? nil : entries.joined(separator: ", ")
  }
}

private let freshSymbols = "xyzwvutsrqponmlkjihgfedcba".map(String.init)
private let reserved = ["-", "|", "#", "(", ")", " ", "^", "!", "…", "?"]
