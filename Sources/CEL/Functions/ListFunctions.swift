import Values

extension Builtins {
  private static let element = CELType.parameter(0)
  private static let list = CELType.list(element)

  static let lists: [Builtin] = [
    member(
      "first", Signature([list], .optional(element)), body: .one(ListFunctions.first)
    ).note("The first element, if there is one.", "[3, 1, 2].first().orValue(0)", "3"),
    member("last", Signature([list], .optional(element)), body: .one(ListFunctions.last))
      .note("The last element, if there is one.", "[3, 1, 2].last().orValue(0)", "2"),
    slice(2, [list]),
    slice(3, [list, .int]).note(
      """
      A part of a list or of bytes, from one position up to, but not including, another. Without \
      the second it goes to the end.
      """, "[1, 2, 3, 4].slice(1, 3)", "[2, 3]"),
    member(
      "sum", Signature([.list(.int)], .int), Signature([.list(.uint)], .uint),
      Signature([.list(.double)], .double), Signature([.list(.duration)], .duration),
      body: .one(ListFunctions.sum)
    ).note(
      """
      The sum of numbers or durations. If one of the numbers is a double, the sum is a double. The \
      sum of nothing is 0.
      """, "[1, 2.5].sum()", "3.5"),
    member("min", Signature([list], element), body: .one(ListFunctions.least))
      .note("The least element.", "[3, 1, 2].min()", "1"),
    member("max", Signature([list], element), body: .one(ListFunctions.greatest))
      .note("The greatest element.", "['a', 'c', 'b'].max()", "'c'"),
    member("sort", Signature([list], list), body: .one(ListFunctions.sort)).note(
      "The elements in their order: numbers, texts, times or bools.", "[3, 1, 2].sort()",
      "[1, 2, 3]"),
    member("distinct", Signature([list], list), body: .one(ListFunctions.distinct)).note(
      "The elements without those that equal an earlier one.", "[2, 1, 2, 1.0].distinct()",
      "[2, 1]"),
    member("flatten", Signature([.list(.dyn)], .list(.dyn)), body: .any(ListFunctions.flatten)),
    member(
      "flatten", Signature([.list(.dyn), .int], .list(.dyn)), body: .any(ListFunctions.flatten)
    ).note(
      "The elements of the lists in a list, one level deep or as many as are given.",
      "[1, [2, [3]]].flatten()", "[1, 2, [3]]"),
    global("lists.range", Signature([.int], .list(.int)), body: .one(ListFunctions.range)).note(
      "The whole numbers from 0 up to, but not including, a number.", "lists.range(4)",
      "[0, 1, 2, 3]"),
  ]

  private static func slice(_ arity: Int, _ parameters: [CELType]) -> Builtin {
    let more = [CELType](repeating: .int, count: arity - parameters.count)
    return member(
      "slice", Signature(parameters + more, list),
      Signature([.bytes] + parameters.dropFirst() + more, .bytes), body: .any(ListFunctions.slice))
  }
}

/// Functions over lists. Positions begin at 0.
enum ListFunctions {
  static func first(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    .optional(try elements("first", value).first)
  }

  static func last(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    .optional(try elements("last", value).last)
  }

  static func elements(_ name: String, _ value: Value) throws(CELFault) -> [Value] {
    guard case .list(let list) = value else { throw .noOverload(name, value) }
    return list
  }

  /// Returns the first of these positions at which a list has an element.
  static func index(
    of element: Value, in list: [Value], _ positions: some Sequence<Int>, _ meter: inout Meter
  ) throws(CELFault) -> Int? {
    for position in positions {
      try meter.spend(1)
      if try Comparison.equal(list[position], element, &meter) { return position }
    }
    return nil
  }

  static func slice(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    switch values[0] {
    case .list(let list):
      let range = try range(values, count: list.count)
      try meter.make(elements: range.count)
      return .list(Array(list[range]))
    case .bytes(let bytes):
      let range = try range(values, count: bytes.count)
      try meter.make(bytes: range.count)
      return .bytes(Array(bytes[range]))
    default: throw .noOverload("slice", values)
    }
  }

  private static func range(_ values: [Value], count: Int) throws(CELFault) -> Range<Int> {
    guard case .int(let start) = values[1],
      case .int(let end) = values.count > 2
        ? values[2]
        : .int(count)
    else { throw .noOverload("slice", values) }
    guard start >= 0, start <= count else { throw .outside(start) }
    guard end >= 0, end <= count else { throw .outside(end) }
    guard start <= end else {
      throw CELFault("invalid range: it starts at \(start) and ends at \(end)")
    }
    return start..<end
  }

  static func sum(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    let list = try elements("sum", value)
    try meter.spend(list.count)
    guard var sum = list.first else { return .int(0) }
    if !isSummable(sum) { throw .noOverload("sum", value) }
    for element in list.dropFirst() {
      let (a, b) = inOneKind(sum, element)
      if !isSummable(b) { throw .operands(.add, sum, element) }
      sum = try Arithmetic.apply(.add, a, b, &meter)
    }
    return sum
  }

  private static func isSummable(_ value: Value) -> Bool {
    switch value {
    case .int, .uint, .double, .duration: true
    case .null, .digits, .bool, .string, .bytes, .list, .map, .timestamp, .type, .optional: false
    }
  }

  /// Numbers of JSON are ints and doubles as they happen to be written.
  private static func inOneKind(_ a: Value, _ b: Value) -> (Value, Value) {
    switch (a, b) {
    case (.double, .int(let number)): (a, .double(Double(number)))
    case (.int(let number), .double): (.double(Double(number)), b)
    default: (a, b)
    }
  }

  static func least(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    try extreme("min", .before, value, &meter)
  }

  static func greatest(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    try extreme("max", .after, value, &meter)
  }

  private static func extreme(
    _ name: String, _ wanted: ValueOrder, _ value: Value, _ meter: inout Meter
  ) throws(CELFault) -> Value {
    let list = try elements(name, value)
    try meter.spend(list.count)
    guard var best = list.first else { throw CELFault("an empty list has no `\(name)`") }
    for element in list {
      guard let order = Comparison.order(element, best) else { throw .noOrder(element, best) }
      if order == wanted { best = element }
    }
    return best
  }

  static func sort(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    let list = try elements("sort", value)
    try meter.make(elements: list.count)
    return .list(try order(of: list, &meter).map { list[$0] })
  }

  /// Returns the places of keys in the order of the keys. Equal ones keep their order.
  static func order(of keys: [Value], _ meter: inout Meter) throws(CELFault) -> [Int] {
    var fault: CELFault?
    for key in keys.prefix(1) where Comparison.order(key, key) == nil {
      throw .noOrder(key, key)
    }
    let order = keys.indices.sorted { a, b in
      guard fault == nil else { return false }
      do throws(CELFault) {
        try meter.spend(1)
        let order = Comparison.order(keys[a], keys[b])
        guard let order, order != .unordered else { throw .noOrder(keys[a], keys[b]) }
        return order == .before || (order == .same && a < b)
      } catch {
        fault = error
        return false
      }
    }
    if let fault { throw fault }
    return order
  }

  static func distinct(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    let list = try elements("distinct", value)
    try meter.make(elements: list.count)
    var known: Set<Value> = []
    var texts: Set<[UInt8]> = []
    var wholes: [Value] = []
    var result: [Value] = []
    for element in list {
      switch element {
      case .string(let text): if texts.insert(Array(text.utf8)).inserted { result.append(element) }
      case .list, .map, .optional:
        // Many maps have one hash, so they are compared, at the expense of the evaluation.
        if case .bool(true) = try CollectionFunctions.contains(element, .list(wholes), &meter) {
          continue
        }
        wholes.append(element)
        result.append(element)
      case .null, .bool, .int, .uint, .double, .digits, .bytes, .timestamp, .duration, .type:
        if known.insert(element).inserted { result.append(element) }
      }
    }
    return .list(result)
  }

  static func flatten(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .list(let list) = values[0], case .int(let depth) = values.count > 1 ? values[1] : 1
    else { throw .noOverload("flatten", values) }
    guard depth >= 0 else { throw CELFault("a depth is zero or more, not \(depth)") }
    var result: [Value] = []
    try flatten(list, depth, into: &result, &meter)
    return .list(result)
  }

  private static func flatten(
    _ list: [Value], _ depth: Int, into result: inout [Value], _ meter: inout Meter
  ) throws(CELFault) {
    try meter.spend(1)
    for element in list {
      if depth > 0, case .list(let inner) = element {
        try flatten(inner, depth - 1, into: &result, &meter)
      } else {
        try meter.spend(1)
        if result.count == CELLimits.elements { throw .tooManyElements }
        result.append(element)
      }
    }
  }

  static func range(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .int(let count) = value else { throw .noOverload("lists.range", value) }
    guard count >= 0 else { throw CELFault("a range has zero or more numbers, not \(count)") }
    try meter.make(elements: count)
    return .list((0..<count).map { .int($0) })
  }
}

extension CELFault {
  static func noOrder(_ a: Value, _ b: Value) -> CELFault {
    let (one, other) = (a.article, b.article)
    return CELFault(
      one == other ? "\(one) and another have no order" : "\(one) and \(other) have no order",
      help: "sort by a part of the elements: `sortBy(x, x.name)`")
  }
}
