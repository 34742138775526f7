import CEL

/// The functions that a scenario adds to those of each expression.
package let stageFunctions: [FunctionEntry] = [
  FunctionEntry(
    .stage, "now", forms: ["now()"], result: "timestamp",
    "The time of the scenario's clock.", example: "now().format('%Y-%m-%d')",
    value: "'2000-01-01'"),
  FunctionEntry(
    .stage, "count", forms: ["count(source)", "count(source, condition)"], result: "int",
    """
    The number of events that a source has emitted, or of those that meet a condition on `value`. \
    The fields of an event can be named directly: `count(api, method == 'POST')`.
    """, example: "count(number, value > 1)", value: "1"),
  FunctionEntry(
    .stage, "recomputes", forms: ["recomputes(node)"], result: "int",
    "The number of times that the rule of a computed node has run.",
    example: "recomputes(doubled) <= 2", value: "true"),
  FunctionEntry(
    .stage, "kind", forms: ["kind(dyn)"], result: "string",
    "The kind of a value that is one of several kinds: its only key, or itself if it is a text.",
    example: "kind({'loaded': [1]})", value: "'loaded'"),
]
