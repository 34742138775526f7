/// Pairs of two sides, each used at most once, as many as possible: Kuhn's algorithm.
///
/// A search that takes the first fit for each would fail where a later one needs it.
struct BipartiteMatching {
  private var edges: [[Int]]
  private var owners: [Int?]

  init(left: Int, right: Int) {
    edges = Array(repeating: [], count: left)
    owners = Array(repeating: nil, count: right)
  }

  /// Adds an element of the left side with all that it fits, and pairs it if it can be.
  mutating func connect(_ left: Int, to right: [Int]) {
    edges[left] = right
    var visited = Set<Int>()
    _ = pair(left, &visited)
  }

  /// The partner of each element of the left side; nil if it has none.
  var assignment: [Int?] {
    var partners = [Int?](repeating: nil, count: edges.count)
    for (right, left) in owners.enumerated() {
      if let left { partners[left] = right }
    }
    return partners
  }

  /// Gives an element a partner; the owner of a partner that is taken looks for another one.
  private mutating func pair(_ left: Int, _ visited: inout Set<Int>) -> Bool {
    for right in edges[left] where visited.insert(right).inserted {
      guard let owner = owners[right] else {
        owners[right] = left
        return true
      }
      if pair(owner, &visited) {
        owners[right] = left
        return true
      }
    }
    return false
  }
}
