import CEL

/// The plan that is being made, and what only its compilation has to know of it.
struct PlanTables {
  var plan: PlanContents
  var nodes: PerID<NodePlan, NodeInfo> = []
  /// By source: the slot for the number of its events.
  var countSlots: PerID<SourcePlan, SlotID> = []
  /// By source: the slot for the list of its events.
  var eventSlots: PerID<SourcePlan, SlotID> = []
  /// The variables of which no value is known: they are wrong, or parameters that nobody gave.
  var unknownVariables: Set<VariableID> = []
  private var slots = SlotTable()

  /// The room that a table gets with its first row. Most tables never need more.
  static let usualCount = 8

  /// The number of expressions with random values.
  private var randomCount = 0

  init(_ plan: PlanContents) {
    self.plan = plan
    self.plan.slots.reserveCapacity(PlanTables.usualCount)
    self.plan.sources.reserveCapacity(PlanTables.usualCount)
  }

  /// Adds the slot of one more expression with random values.
  mutating func addRandomSlot() {
    _ = slot(.drawn(randomCount))
    randomCount += 1
  }

  /// The slot that stands for something expressions read; the same one at each call.
  mutating func slot(_ meaning: SlotPlan) -> SlotID {
    if let known = slots[meaning] { return known }
    let added = plan.slots.append(meaning)
    slots[meaning] = added
    return added
  }
}

/// The facts about a node that compilation needs.
struct NodeInfo {
  /// The type that the checker may assume for its value.
  var type = CELType.dyn
  /// True if it is lazy until an expression or a stream names its events.
  let isComputed: Bool
  var isObserved: Bool

  init(isComputed: Bool) {
    self.isComputed = isComputed
    isObserved = !isComputed
  }
}

/// The slots by what they stand for. Ids of one kind are small numbers, so each kind has a row.
private struct SlotTable {
  private var rows: [[SlotID?]] = Array(repeating: [], count: 15)

  subscript(meaning: SlotPlan) -> SlotID? {
    get {
      let (row, number) = SlotTable.place(of: meaning)
      return number < rows[row].count ? rows[row][number] : nil
    }
    set {
      let (row, number) = SlotTable.place(of: meaning)
      if rows[row].isEmpty { rows[row].reserveCapacity(PlanTables.usualCount) }
      while rows[row].count <= number { rows[row].append(nil) }
      rows[row][number] = newValue
    }
  }

  private static func place(of meaning: SlotPlan) -> (row: Int, number: Int) {
    switch meaning {
    case .node(let id): (0, id.index)
    case .variable(let id): (1, id.index)
    case .column(let id): (2, id.index)
    case .capture(let id): (3, id.index)
    case .local(let id): (4, id.index)
    case .matched: (5, 0)
    case .now: (6, 0)
    case .eventCount(let id): (7, id.index)
    case .recomputes(let id): (8, id.index)
    case .lastEvent(let id): (9, id.index)
    case .address(let id, .http): (10, 2 * id.index)
    case .address(let id, .webSocket): (10, 2 * id.index + 1)
    case .port(let id): (11, id.index)
    case .drawn(let number): (12, number)
    case .events(let id): (13, id.index)
    case .temp(let id): (14, id.index)
    }
  }
}
