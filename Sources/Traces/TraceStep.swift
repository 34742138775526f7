import Values

/// What the line of a step says of it, if the step is in no loop and in no file of its own.
///
/// Every fifth line of a trace has one. It is written without a map, which would cost more than the
/// rest of its line.
package struct TraceStep: Sendable {
  package var branch: Int
  /// Whether the assertion held; nil if the line is that of the step's beginning.
  package var held: Bool?
  package var verb: String

  package init(branch: Int, held: Bool?, verb: String) {
    self.branch = branch
    self.held = held
    self.verb = verb
  }

  var json: Value {
    var entries: [ValueMap.Entry] = [("branch", .int(branch))]
    if let held { entries.append(("held", .bool(held))) }
    return .map(ValueMap(distinct: entries + [("verb", .string(verb))]))
  }

  /// Appends the JSON text, whose keys are in their order.
  func append(to bytes: inout OutputBytes) {
    bytes.append("{\"branch\":")
    bytes.appendDecimal(branch)
    if let held { bytes.append(held ? ",\"held\":true" : ",\"held\":false") }
    bytes.append(",\"verb\":")
    bytes.appendJSON(text: verb)
    bytes.append(UInt8(ascii: "}"))
  }
}
