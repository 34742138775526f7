import TextSearch

/// The names of matchers in other tools, with what to write here.
package enum ForeignMatchers {
  /// Returns what to write instead, as the text of a help line.
  static func help(for name: String) -> String? {
    if name.hasPrefix("$.") || name.hasPrefix("$[") {
      return "there are no JSONPaths; write the fields as maps: `\(fields(ofPath: name))`"
    }
    return forms[name].map { "write `\($0)`" }
  }

  /// Returns whether a field with this value may stand for a matcher.
  package static func isMatcher(_ name: String, value: String) -> Bool {
    switch name {
    case "absent", "any": value == "true"
    case "type": typeNames.contains(value)
    default: asFields.contains(name)
    }
  }

  /// The words that a field named `type` hardly ever has as its value.
  private static let typeNames = Set(types.keys).union(["text", "int", "number", "bool"])

  /// Types of other languages, with their words here.
  private static let types = [
    "string": "text", "integer": "int", "boolean": "bool", "object": "map", "array": "list",
  ]

  /// Returns the matcher that a field's name may stand for, as a map: of `equals: 200`, it is
  /// `{ $exactly: 200 }`. A value is taken as it is written.
  static func matcher(meantBy name: String, value: String) -> String {
    if name == "type" { return "{ $type: \(types[value] ?? value) }" }
    if name == "absent" || name == "any" { return "{ $\(name): true }" }
    let form = forms["$" + name] ?? "$\(name): 3"
    let takesValue = !["$type", "$any", "$absent"].contains { form.hasPrefix($0) }
    guard takesValue, let end = form.firstIndex(of: ":") else { return "{ \(form) }" }
    // A value that stands for itself needs no matcher.
    if form.hasPrefix("$exactly:") { return value }
    return "{ \(form[..<end]): \(value) }"
  }

  /// The names that also stand for matchers without their `$`. Other names of the table, such as
  /// `count` or `min`, are common as fields.
  private static let asFields: Set = [
    "toBe", "toEqual", "toStrictEqual", "toMatch", "toContain", "toHaveLength", "toBeGreaterThan",
    "toBeGreaterThanOrEqual", "toBeLessThan", "toBeLessThanOrEqual", "toBeNull", "toBeDefined",
    "toBeUndefined", "equal", "equals", "equalTo", "eq", "ne", "neq", "notEquals", "notEqual",
    "gt", "gte", "lt", "lte", "greaterThan", "greaterThanOrEqual", "lessThan", "lessThanOrEqual",
    "startsWith", "endsWith", "contains", "containing", "matches", "matchesRegex", "regex",
    "hasSize", "not", "as", "isNumber", "isInteger", "isString", "isBoolean", "isNull", "notNull",
  ]

  private static let forms = [
    "$greater": "$gt: 3", "$greaterThan": "$gt: 3", "$greaterEqual": "$gte: 3", "$min": "$gte: 3",
    "$less": "$lt: 3", "$lessThan": "$lt: 3", "$lessEqual": "$lte: 3", "$max": "$lte: 3",
    "$ge": "$gte: 3", "$le": "$lte: 3", "$eq": "$exactly: 3", "$equals": "$exactly: 3",
    "$ne": "$not: 3", "$neq": "$not: 3", "$nin": "$not: { $in: [1, 2] }", "$oneOf": "$in: [1, 2]",
    "$or": "$in: [1, 2]", "$anyOf": "$in: [1, 2]", "$and": "$match: { id: 1 }",
    "$allOf": "$match: { id: 1 }", "$exists": "$absent: true", "$missing": "$absent: true",
    "$undefined": "$absent: true", "$matches": "$regex: '^Cats '",
    "$pattern": "$regex: '^Cats '", "$length": "$size: 3", "$len": "$size: 3", "$count": "$size: 3",
    "$includes": "$contains: 3", "$has": "$contains: 3", "$every": "$each: { id: { $gt: 0 } }",
    "$all": "$each: { id: { $gt: 0 } }", "$unordered": "$anyOrder: [1, 2]",
    "$prefix": "$startsWith: Cats", "$suffix": "$endsWith: sleep", "$is": "$type: text",
    "$capture": "$as: name", "$save": "$as: name", "$optional": "$in: [3, { $absent: true }]",
    "$equalTo": "$exactly: 3", "$equal": "$exactly: 3", "$toBe": "$exactly: 3",
    "$isNumber": "$type: number", "$isInteger": "$type: int", "$isString": "$type: text",
    "$isBoolean": "$type: bool", "$isCollection": "$type: list", "$isList": "$type: list",
    "$isEmpty": "$size: 0", "$notEmpty": "$size: { $gt: 0 }", "$isNull": "$type: null",
    "$toEqual": "$exactly: 3", "$toStrictEqual": "$exactly: 3", "$toMatch": "$regex: '^Cats '",
    "$toContain": "$contains: 3", "$toHaveLength": "$size: 3", "$toBeGreaterThan": "$gt: 3",
    "$toBeGreaterThanOrEqual": "$gte: 3", "$toBeLessThan": "$lt: 3",
    "$toBeLessThanOrEqual": "$lte: 3", "$toBeNull": "$type: null", "$toBeDefined": "$any: true",
    "$toBeUndefined": "$absent: true",
    "$notEquals": "$not: 3", "$notEqual": "$not: 3",
    "$greaterThanOrEqual": "$gte: 3", "$lessThanOrEqual": "$lte: 3",
    "$matchesRegex": "$regex: '^Cats '", "$notNull": "$not: null", "$hasSize": "$size: 3",
    "$containing": "$contains: 3",
    "$equalToJson": "$exactly: { id: 1 }", "$matchesJsonSchema": "$schema: { type: object }",
  ]

  /// The markers of Karate, which are texts there.
  static let markers = [
    "#number": "{ $type: number }", "#string": "{ $type: text }", "#boolean": "{ $type: bool }",
    "#array": "{ $type: list }", "#object": "{ $type: map }", "#null": "{ $type: null }",
    "#notnull": "{ $not: null }", "#present": "{ $any: true }", "#ignore": "{ $any: true }",
    "#notpresent": "{ $absent: true }",
    "#uuid": "{ $regex: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }",
  ]

  /// `$.a.b` as `{ a: { b: … } }`.
  private static func fields(ofPath path: String) -> String {
    let names = path.split { ".[]'\"$".contains($0) }.prefix(longestPathShown)
    guard !names.isEmpty else { return "{ field: … }" }
    return names.reversed().reduce("…") { "{ \($1): \($0) }" }
  }

  private static let longestPathShown = 4
}
