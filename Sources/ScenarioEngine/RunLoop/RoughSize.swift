import Events
import Values

/// Returns a value's size in memory as if it shared nothing. All of its elements are counted; of
/// nested ones, the first few stand for all.
func roughSize(_ value: Value, depth: Int = 0) -> Int {
  switch value {
  case .string(let text): return 16 + text.utf8.count
  case .bytes(let bytes): return 16 + bytes.count
  case .list(let elements): return size(of: elements.count, 24, elements.prefix(3), depth)
  case .map(let map): return size(of: map.count, 64, map.prefix(3).map(\.value), depth)
  case .optional(let inner): return 16 + (inner.map { roughSize($0, depth: depth + 1) } ?? 0)
  case .null, .bool, .int, .uint, .double, .digits, .timestamp, .duration, .type: return 16
  }
}

private func size(
  of count: Int, _ each: Int, _ first: some Collection<Value>, _ depth: Int
) -> Int {
  guard depth < 3, !first.isEmpty else { return 16 + count * each }
  let inner = first.reduce(0) { $0 + roughSize($1, depth: depth + 1) } / first.count
  return 16 + count * (each + inner)
}

/// Of an exchange the bodies count.
func roughSize(_ exchange: Exchange) -> Int {
  exchange.hops.reduce(0) { $0 + $1.request.body.count + ($1.response?.body.count ?? 0) }
}

/// Likewise, of what real endpoints do.
func roughSize(_ driftObserved: DriftObservation) -> Int {
  switch driftObserved.part {
  case .answer(let exchange, _): roughSize(exchange)
  case .came(let value?, _), .sent(_, _, let value, _): roughSize(value)
  case .unforeseen, .opening, .came(nil, _): 0
  }
}
