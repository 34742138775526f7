import TextSearch

/// Pairs of two sides, each used at most once, as many as possible.
///
/// Each element of the left side takes the first free one that it fits. If none is free, others
/// move on to where they fit as well: a search that took the first fit for good would fail where a
/// later one needs it.
struct BipartiteMatching {
  private var edges: [[Int]]
  /// The partner of each element of the left side; nil if it has none.
  private(set) var assignment: [Int?]
  private var owners: [Int?]

  init(left: Int, right: Int) {
    edges = Array(repeating: [], count: left)
    assignment = Array(repeating: nil, count: left)
    owners = Array(repeating: nil, count: right)
  }

  /// Adds an element of the left side with all that it fits, and pairs it if it can be.
  mutating func connect(_ left: Int, to right: [Int]) {
    edges[left] = right
    var cameFrom: [Int: Int] = [:]
    var waiting = [left]
    var position = 0
    while position < waiting.count {
      let candidate = waiting[position]
      position += 1
      let new = edges[candidate].filter { cameFrom[$0] == nil }
      for right in new { cameFrom[right] = candidate }
      if let free = new.first(where: { owners[$0] == nil }) {
        return settle(free, for: left, cameFrom)
      }
      waiting += new.compactMap { owners[$0] }
    }
  }

  /// Moves each element on the path to the partner that was found for it.
  private mutating func settle(_ free: Int, for left: Int, _ cameFrom: [Int: Int]) {
    var right = free
    while let mover = cameFrom[right] {
      let old = assignment[mover]
      owners[right] = mover
      assignment[mover] = right
      guard mover != left, let old else { return }
      right = old
    }
  }
}
