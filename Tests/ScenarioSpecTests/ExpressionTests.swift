import ScenarioSpec
import Testing
import Values

@Suite struct ExpressionTests {
  @Test(arguments: [
    ("plain", "plain"),
    ("'${a}'", "<a>"),
    ("\"${a}\"", "<a>"),
    ("'x ${a} y'", "x |<a>| y"),
    ("'${a}${b}'", "<a>|<b>"),
    ("'$${a}'", "${a}"),
    ("'1$${a} ${b}'", "1${a} |<b>"),
    ("'cost $5'", "cost $5"),
    ("'${ {1: 2}[1] }'", "< {1: 2}[1] >"),
    ("\"${'}' + b}\"", "<'}' + b>"),
    ("\"${'\\\\'}'}\"", "<'\\'}'>"),
    ("\"${r'\\\\'}\"", "<r'\\'>"),
    ("\"${bar + '}'}\"", "<bar + '}'>"),
    ("\"${'''a'}'''}\"", "<'''a'}'''>"),
    ("'${\"}\"}'", "<\"}\">"),
  ])
  func `expressions in values end where they end`(written: String, parts: String) throws {
    let reading = Reading("scenario: A\ngraph:\n  a: \(written)\n")
    #expect(reading.complaints == [])
    guard case .stored(let data)? = reading.first?.graph.first?.rule else { throw Unexpected() }
    #expect(show(data) == parts)
  }

  @Test(arguments: ["'${a'", "'${a + {}'", "'x ${'", "\"${'}\""])
  func `an expression without its end is refused`(written: String) {
    #expect(
      Reading("scenario: A\ngraph:\n  a: \(written)\n").ids == ["unterminated-expression"])
  }

  @Test(arguments: [
    "graph: { a: { computed: one + two } }",
    "graph: { a: { computed: 'one + two' } }",
    "graph: { a: { computed: \"one\\t+ two\" } }",
    "graph: { a: { computed: 'it(''s'') + two' } }",
    "graph:\n  a:\n    computed: |\n      one\n        + two\n",
    "graph:\n  a:\n    computed: >-\n      one\n      + two\n",
    "graph:\n  a:\n    computed: one\n      + two\n",
    "graph:\n  a: \"é ${one + two}\"\n",
    "graph:\n  a: \"x\\n${one + two}\"\n",
    "graph:\n  a: \"${b} and\n    ${one + two}\"\n",
  ])
  func `every part of an expression finds its place in the file`(written: String) throws {
    let reading = Reading("scenario: A\n\(written)")
    let rule = try #require(reading.first?.graph.first?.rule)
    let expression = try #require(lastExpression(rule))
    let offset = try #require(position(of: "two", in: expression.text))
    #expect(reading.excerpt(expression.range(offset: offset, length: 3)) == "two")
  }

  @Test func `numbers and truth values are expressions by their text`() throws {
    let reading = Reading("scenario: A\nsteps: [{ check: true }, { check: 1.0 }]")
    let steps = try #require(reading.first?.steps.steps)
    let texts = steps.map { step in
      if case .check(let expressions) = step.kind { expressions.map(\.text).joined() } else { "" }
    }
    #expect(texts == ["true", "1.0"])
  }

  @Test func `an expression deep inside a value is found`() throws {
    let reading = Reading("scenario: A\ngraph: { a: [1, { stored: 1, b: ['${c}'] }] }")
    guard case .stored(let data)? = reading.first?.graph.first?.rule,
      case .list(let elements) = data.content, case .map(let entries) = elements[1].content,
      case .list(let inner) = entries[1].value.content
    else { throw Unexpected() }
    #expect(show(inner[0]) == "<c>")
    #expect(elements[0].literal == 1)
  }
}

private func show(_ data: DataSpec) -> String {
  switch data.content {
  case .literal(.string(let text)): text
  case .expression(let expression): "<\(expression.text)>"
  case .text(let parts):
    parts.map { part in
      switch part {
      case .literal(let text): text
      case .expression(let expression): "<\(expression.text)>"
      }
    }.joined(separator: "|")
  case .literal, .list, .map, .keyedMap, .example: "?"
  }
}

private func lastExpression(_ rule: NodeSpec.Rule) -> ExpressionText? {
  switch rule {
  case .computed(let expression): return expression
  case .latest(_, let of, _): return of
  case .stored(let data):
    guard case .text(let parts) = data.content else { return nil }
    let expressions = parts.compactMap { part in
      if case .expression(let expression) = part { expression } else { nil }
    }
    return expressions.last
  }
}

private func position(of part: String, in text: String) -> Int? {
  let (bytes, wanted) = (Array(text.utf8), Array(part.utf8))
  return bytes.indices.first { bytes[$0...].starts(with: wanted) }
}
