import CSQLite
import Diagnostics
import Values

/// The values of a statement's parameters; they are bound, never inserted into its text.
package enum DatabaseParameters: Sendable {
  case none
  /// Values in the order of the parameters.
  case positional([Value])
  /// Values by bare name, for parameters written `:name`, `@name` or `$name`.
  case named([(String, Value)])
}

extension DatabaseStatement {
  /// Binds each parameter. A missing or surplus value is a failure that names it.
  func bind(_ given: DatabaseParameters) throws(DatabaseFailure) {
    switch given {
    case .none: try bind([Value]())
    case .positional(let values): try bind(values)
    case .named(let values): try bind(values)
    }
  }

  private func bind(_ values: [Value]) throws(DatabaseFailure) {
    if values.count < parameters.count { throw missing(values.count) }
    if values.count > parameters.count {
      let count = parameters.count == 1 ? "1 parameter" : "\(parameters.count) parameters"
      throw rangeFailure("the statement has \(count), and there are \(values.count) values")
    }
    for (index, value) in values.enumerated() { try bind(value, at: index) }
  }

  private func bind(_ values: [(String, Value)]) throws(DatabaseFailure) {
    for (name, _) in values where !parameters.contains(where: { bareName($0) == name }) {
      throw superfluous(name)
    }
    for (index, parameter) in parameters.enumerated() {
      guard let name = bareName(parameter) else {
        throw rangeFailure("parameter \(index + 1) has no name; give the values as a list")
      }
      guard let value = values.first(where: { $0.0 == name })?.1 else { throw missing(index) }
      try bind(value, at: index)
    }
  }

  private func missing(_ index: Int) -> DatabaseFailure {
    rangeFailure("there is no value for \(shown(index))")
  }

  private func superfluous(_ name: String) -> DatabaseFailure {
    let names = parameters.compactMap { bareName($0) }
    let beginning = "the statement has no parameter `\(name)`"
    if let near = nearestName(to: name, among: names) {
      return rangeFailure("\(beginning); did you mean `\(near)`?")
    }
    let list = names.map { "`\($0)`" }.joined(separator: ", ")
    return rangeFailure(names.isEmpty ? beginning : "\(beginning), only \(list)")
  }

  private func shown(_ index: Int) -> String {
    parameters[index].map { "the parameter `\($0)`" } ?? "parameter \(index + 1)"
  }

  private func bind(_ value: Value, at index: Int) throws(DatabaseFailure) {
    let position = Int32(index + 1)
    let code: Int32
    switch value {
    case .null, .optional(.none): code = sqlite3_bind_null(pointer, position)
    case .bool(let truth): code = sqlite3_bind_int64(pointer, position, truth ? 1 : 0)
    case .int(let number): code = sqlite3_bind_int64(pointer, position, Int64(number))
    case .uint(let number):
      guard let same = Int64(exactly: number) else {
        throw unfit(index, "\(number) is beyond the largest integer of SQLite, \(Int64.max)")
      }
      code = sqlite3_bind_int64(pointer, position, same)
    case .double(let number):
      if number.isNaN { throw unfit(index, "SQLite has no NaN, and would store NULL") }
      code = sqlite3_bind_double(pointer, position, number)
    case .digits(let text): throw unfit(index, "\(text) is beyond 64 bits")
    case .bytes(let bytes): code = bind(bytes, at: position)
    case .optional(let inner?): return try bind(inner, at: index)
    case .string, .timestamp, .duration, .type, .list, .map:
      code = bind(text: value.plainText, at: position)
    }
    if code == SQLITE_TOOBIG {
      throw unfit(index, "it has more than \(DatabaseLimits.valueBytes) bytes", "SQLITE_TOOBIG")
    }
    if code != SQLITE_OK { throw unfit(index, "SQLite refused it", resultCodeName(code)) }
  }

  private func bind(text: String, at position: Int32) -> Int32 {
    text.withCString { csqlite_bind_text(pointer, position, $0, UInt64(text.utf8.count)) }
  }

  /// Binds bytes. An empty array has no address, which SQLite would treat as NULL.
  private func bind(_ bytes: [UInt8], at position: Int32) -> Int32 {
    bytes.isEmpty
      ? sqlite3_bind_zeroblob(pointer, position, 0)
      : csqlite_bind_blob(pointer, position, bytes, UInt64(bytes.count))
  }

  private func unfit(
    _ index: Int, _ reason: String, _ code: String = "SQLITE_MISMATCH"
  ) -> DatabaseFailure {
    DatabaseFailure("\(shown(index)) cannot have this value: \(reason)", code: code)
  }
}

private func rangeFailure(_ message: String) -> DatabaseFailure {
  DatabaseFailure(message, code: "SQLITE_RANGE")
}

private func bareName(_ parameter: String?) -> String? { parameter.map { String($0.dropFirst()) } }
