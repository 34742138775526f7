/// The name of a type of values, as scenarios write it.
package enum TypeName: String, Sendable, CaseIterable {
  case text, int, number, bool, null, list, map, bytes, duration, timestamp

  /// Returns whether a value is of this type. An integer is a number, too.
  package func contains(_ value: Value) -> Bool {
    switch (self, value) {
    case (.text, .string), (.int, .int), (.int, .uint), (.int, .digits), (.number, .int),
      (.number, .uint), (.number, .double), (.number, .digits), (.bool, .bool), (.null, .null),
      (.list, .list), (.map, .map),
      (.bytes, .bytes), (.duration, .duration), (.timestamp, .timestamp):
      true
    case (.text, _), (.int, _), (.number, _), (.bool, _), (.null, _), (.list, _), (.map, _),
      (.bytes, _), (.duration, _), (.timestamp, _):
      false
    }
  }
}
