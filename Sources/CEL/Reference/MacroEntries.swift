import TextSearch

extension FunctionTable {
  /// The macros: functions whose arguments are expressions over a variable.
  static let macros: [FunctionEntry] = [
    FunctionEntry(
      .macros, "has", forms: ["has(map.field)"], result: "bool", "Whether a map has a field.",
      example: "has({'a': 1}.b)", value: "false"),
    FunctionEntry(
      .macros, "all", forms: ["list.all(x, condition)", "map.all(key, value, condition)"],
      result: "bool", "Whether a condition holds for each element, or for each key of a map.",
      example: "[1, 2, 3].all(x, x > 0)", value: "true"),
    FunctionEntry(
      .macros, "exists", forms: ["list.exists(x, condition)", "map.exists(key, value, condition)"],
      result: "bool", "Whether a condition holds for one element or more.",
      example: "{'a': 1, 'b': 2}.exists(key, value, value == 2)", value: "true"),
    FunctionEntry(
      .macros, "exists_one",
      forms: ["list.exists_one(x, condition)", "list.existsOne(x, condition)"],
      result: "bool", "Whether a condition holds for exactly one element.",
      example: "[1, 2, 3].exists_one(x, x > 2)", value: "true"),
    FunctionEntry(
      .macros, "filter", forms: ["list.filter(x, condition)"], result: "list",
      "The elements for which a condition holds.", example: "[1, 2, 3].filter(x, x > 1)",
      value: "[2, 3]"),
    FunctionEntry(
      .macros, "map", forms: ["list.map(x, result)", "list.map(x, condition, result)"],
      result: "list", "A result for each element, or for those that meet a condition.",
      example: "[1, 2, 3].map(x, x > 1, x * 10)", value: "[20, 30]"),
    FunctionEntry(
      .macros, "sortBy", forms: ["list.sortBy(x, key)"], result: "list",
      "The elements in the order of a key. Those with equal keys keep their order.",
      example: "[{'n': 'b', 'age': 30}, {'n': 'a', 'age': 31}].sortBy(x, x.n).map(x, x.age)",
      value: "[31, 30]"),
    FunctionEntry(
      .macros, "transformList",
      forms: [
        "list.transformList(index, x, result)", "list.transformList(index, x, condition, result)",
      ], result: "list", "A result for each element and its position, or each key and value.",
      example: "['a', 'b'].transformList(index, x, string(index) + x)", value: "['0a', '1b']"),
    FunctionEntry(
      .macros, "transformMap",
      forms: [
        "map.transformMap(key, value, result)", "map.transformMap(key, value, condition, result)",
      ], result: "map", "A map with the same keys and other values.",
      example: "{'a': 1, 'b': 2}.transformMap(key, value, value > 1, value * 10)",
      value: "{'b': 20}"),
    FunctionEntry(
      .macros, "transformMapEntry",
      forms: [
        "map.transformMapEntry(key, value, entry)",
        "list.transformMapEntry(index, x, condition, entry)",
      ], result: "map", "A map of the entries that are made of each key and value.",
      example: "{'a': 'x'}.transformMapEntry(key, value, {value: key})", value: "{'x': 'a'}"),
    FunctionEntry(
      .macros, "cel.bind", forms: ["cel.bind(name, value, result)"],
      "A result in which a name stands for a value.", example: "cel.bind(x, 2 + 3, x * x)",
      value: "25"),
    FunctionEntry(
      .optionals, "orValue", forms: ["optional.orValue(value)"],
      "The value of an optional, or another one. `x.?field` and `x[?key]` give optionals.",
      example: "{'a': 1}.?b.orValue(2)", value: "2"),
    FunctionEntry(
      .optionals, "or", forms: ["optional.or(optional)"], result: "optional",
      "The optional if it has a value, or another one.",
      example: "{'a': 1}.?b.or(optional.of(3)).value()", value: "3"),
    FunctionEntry(
      .optionals, "optMap", forms: ["optional.optMap(x, result)"], result: "optional",
      "An optional with a result made of the value, if there is one.",
      example: "{'a': 1}.?a.optMap(x, x + 1).value()", value: "2"),
    FunctionEntry(
      .optionals, "optFlatMap", forms: ["optional.optFlatMap(x, optional)"], result: "optional",
      "The optional that is made of the value, if there is one.",
      example: "{'a': {'b': 1}}.?a.optFlatMap(x, x.?b).value()", value: "1"),
  ]
}
