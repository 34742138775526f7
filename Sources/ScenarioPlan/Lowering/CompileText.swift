import CEL
import Diagnostics
import ScenarioSpec
import Values

/// The way in which the value of a name is written, if it would be written in another way.
enum WrittenForm {
  /// That of a variable or a parameter: `1.10`.
  case constant(String)
  /// Those of a column, which are a column of their own.
  case column(ColumnID, written: ColumnID)
}

// Places of text: query, headers, forms, cookies, parts, paths, and the matchers of these.
extension PlanCompiler {
  /// Makes data a text: a scalar is sent, and compared, as it is written.
  func asText(_ plan: DataPlan, of data: DataSpec) -> DataPlan {
    var text = plan
    text.isText = true
    if case .literal = data.content { reporter.textPlaces.append(data.range) }
    switch plan.content {
    case .constant(.null):
      if data.use == .sent { report(.leftOut(at: data.range)) }
    case .constant(let value):
      guard let written = written(value, in: data) else { return text }
      noteChange(from: value, to: written, in: data)
      text.content = .constant(.string(written))
    case .expression(let expression):
      noteNulls(readBy: expression, data)
      guard case .column(let column, let spellings)? = spelling(of: data),
        Array(expression.readSlots) == [slot(.column(column))]
      else { break }
      noteChanges(in: column, to: spellings, data)
      return reading(spellings, insteadOf: expression, in: text)
    case .text(let parts):
      for case .expression(let part) in parts where part.program.constant == .null {
        report(.nullInText(at: part.origin.range))
      }
    case .list, .map, .keyedMap, .example: break
    }
    return text
  }

  /// Compiles a text that cannot be left out, such as a path.
  func compileName(_ data: DataSpec) -> DataPlan {
    let before = reporter.count
    let value = compileValue(data)
    guard !reporter.hasErrors(since: before) else { return value }
    if case .constant(.null) = value.content {
      report(.nullInText(at: data.range))
      return value
    }
    return data.use == .value ? value : asText(value, of: data)
  }

  /// Returns the spelling of a scalar, or of what an expression names.
  func spelling(of data: DataSpec) -> WrittenForm? {
    if let written = data.spelling { return .constant(written) }
    guard case .expression(let expression) = data.content, !spellings.isEmpty else { return nil }
    return spellings[unit.prefix + expression.text.filter { $0 != " " }]
  }

  /// Returns a constant as text; nil if it has more than one form as text, or none.
  private func written(_ value: Value, in data: DataSpec) -> String? {
    switch value {
    case .bool, .int, .uint, .double, .digits:
      if case .constant(let spelling)? = spelling(of: data) { return spelling }
      return value.sentText
    case .null, .string, .bytes, .list, .map, .timestamp, .duration, .type, .optional: return nil
    }
  }

  /// Returns an expression that reads the spellings of a column.
  private func reading(
    _ column: ColumnID, insteadOf expression: ExpressionPlan, in data: DataPlan
  ) -> DataPlan {
    nested {
      let text = expression.origin
      scope.declare(text.text.filter { $0 != " " }, slot: slot(.column(column)).index)
      var data = data
      if let read = compile(text) { data.content = .expression(read) }
      return data
    }
  }

  /// Notes that a column leaves a place out in some rows.
  private func noteNulls(readBy expression: ExpressionPlan, _ data: DataSpec) {
    let slots = Array(expression.readSlots)
    guard data.use == .sent, expression.program.isRead, slots.count == 1,
      case .column(let column) = plan.slots[slots[0]],
      plan.rows.contains(where: { $0.values[column] == .null })
    else { return }
    report(.leftOut(at: data.range))
  }

  private func noteChange(from value: Value, to written: String, in data: DataSpec) {
    guard value.plainText != written else { return }
    report(.spelledOtherwise(data, now: written, before: value.plainText))
  }

  private func noteChanges(in column: ColumnID, to spellings: ColumnID, _ data: DataSpec) {
    let changed = plan.rows.first { $0.values[column] != $0.values[spellings] }
    guard let row = changed, case .string(let written) = row.values[spellings] else { return }
    report(.spelledOtherwise(data, now: written, before: row.values[column].plainText))
  }
}

// The spellings of columns.
extension PlanCompiler {
  /// Adds a column with the cells as they are written, if they would be written in another way.
  func declareSpellings(of column: ColumnID) {
    let name = plan.columns[column].name
    let given = given(name)
    let texts = zip(document.cases, plan.rows).map { cells, row in
      given.map { $0.spelling(of: row.values[column]) } ?? cells.spellings[name]
    }
    guard texts.contains(where: { $0 != nil }) else { return }
    var written = ColumnPlan(name: name)
    written.isSecret = plan.columns[column].isSecret
    written.isSpelling = true
    for (number, text) in texts.enumerated() {
      plan.rows[number].values.append(text.map { .string($0) } ?? plan.rows[number].values[column])
    }
    spellings[name] = .column(column, written: plan.columns.append(written))
  }
}

extension PlanInputs.Variable {
  /// The text from outside, if its value would be written in another way.
  package func spelling(of value: Value) -> String? {
    isPlaceholder ? nil : value.spelling(in: text)
  }
}

extension Diagnostic {
  fileprivate static func spelledOtherwise(
    _ data: DataSpec, now: String, before: String
  ) -> Diagnostic {
    let isCompared = data.use == .compared
    return changedReading(
      of: "this", now: isCompared ? "is compared as `\(now)`" : "is sent as `\(now)`",
      before: isCompared ? "as `\(before)`" : "it was sent as `\(before)`",
      toKeepWrite: "\"\(before)\"", at: data.range)
  }

  fileprivate static func leftOut(at range: SourceRange) -> Diagnostic {
    changedReading(
      of: "this", now: "is null, and left out", before: "the word `null` was sent",
      toKeepWrite: "\"null\"", at: range)
  }

  static func nullInText(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "null-in-text", "null has no text: it cannot be a part of one, nor a path or a name",
      labels: [.init(range, "this is null")],
      help: "write a default, such as `${x == null ? '' : x}`, or leave the whole entry out")
  }
}
