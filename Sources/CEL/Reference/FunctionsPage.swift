import TextSearch

/// Returns the page of all functions, in Markdown. These are added to those that each expression
/// has.
package func functionsPage(_ more: [FunctionEntry]) -> String {
  let entries = more + FunctionTable.entries
  let sections = FunctionGroup.allCases.map { group in
    section(group, entries.filter { $0.group == group })
  }
  return ([introduction] + sections + [numbersSection, limitsSection]).joined(separator: "\n")
}

private let introduction = """
  # Functions

  The functions of [expressions](language/stage.md#expressions). They have the names of the Common
  Expression Language (CEL) and of its published extensions, where there are such. This page is made
  from the table of functions, and each example runs as a test. `rehearse explain sortBy` shows one
  of them. `rehearse eval "[3, 1, 2].sort()"` tries an expression.

  A function is called on a value (`list.sort()`) or by its name alone (`size(list)`); its form
  shows which. The types of arguments are checked when a scenario is loaded, as far as they are
  known then: `dyn` stands for any. Positions begin at 0.

  """

private func section(_ group: FunctionGroup, _ entries: [FunctionEntry]) -> String {
  var lines = ["## \(group.title)", ""]
  if let text = group.introduction { lines += [text, ""] }
  lines += ["| function | meaning | example |", "|---|---|---|"]
  for entry in entries {
    let forms = entry.forms.map { "`\($0)`" }.joined(separator: "<br>")
    let result = entry.result.map { " → `\($0)`" } ?? ""
    let example = "`\(entry.example)`" + (entry.value == "true" ? "" : "<br>is `\(entry.value)`")
    lines.append(
      "| " + [forms + result, entry.text, example].map(escaped).joined(separator: " | ") + " |")
  }
  return (lines + [""]).joined(separator: "\n")
}

/// Returns a cell's text. A bar would end the cell, even within code.
private func escaped(_ text: String) -> String {
  text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
}

extension FunctionGroup {
  fileprivate var introduction: String? {
    switch self {
    case .randoms:
      """
      Random values come from the seed of the run, so the same run has the same values. With mocks,
      the seed is the scenario's `seed`, or 1. With `--against real`, each run has a new
      seed, unless the scenario or `--seed` gives one, and the run shows it. Each expression has
      random numbers of its own, and so has each scenario and each row of its table. In a `computed`
      node they are an error: it is evaluated as often as something reads it. Put the value into a
      stored node or a variable.
      """
    case .hashes:
      """
      Digests are in hexadecimal digits. `hex.decode` makes bytes of them, and `base64.encode` makes
      Base64 of those. The digests of a whole [secret](secrets.md) are masked as the secret is. A
      signature does not show its key, and is not masked.
      """
    case .times:
      """
      `now()` is the clock of the scenario. Points in time and durations are added, subtracted and
      compared: `now() + duration('36h') < expires`.
      """
    case .patterns:
      """
      Patterns have the syntax of PCRE2, in UTF-8. Write them as `r'…'`, in which a backslash is a
      backslash.
      """
    case .stage, .macros, .collections, .lists, .sets, .texts, .numbers, .conversions, .encodings,
      .optionals, .networks:
      nil
    }
  }
}

private let numbersSection = """
  ## Ints and doubles

  A number without a point is an `int`, one with a point or an exponent a `double`: in expressions,
  in YAML and in JSON. They are different types, and arithmetic never converts: `1 + 1.0` is an
  error, and so is `price * 1.1` if the price happens to be `10`. Comparisons do compare across
  types: `10 == 10.0` and `10 < 10.5` are true.

  JSON does not tell the two apart, and many servers write the price 10.00 as `10`. Convert numbers
  that come from JSON before you compute with them:

  ```yaml
  scenario: Prices from JSON are computed as doubles
  vars: { prices: [10, 12.5], json: '{"total": 22.5}' }
  steps:
    - check: double(prices[0]) * 1.1 > 10.9
    - check: prices.sum() == json.decode(json).total
    - check: int(prices[1]) / 5 == 2
  ```

  `sum` adds ints and doubles of one list. `int(x)` cuts the fraction off, `math.round(x)` rounds.
  Ints have 64 bits: a result out of range is an error, and a whole number of JSON that is larger
  becomes a `uint`. Beyond 64 bits it keeps its digits, and only `string(x)` takes it.

  """

private let limitsSection = """
  ## Limits

  An expression takes at most \(CELLimits.steps) steps. It makes texts and bytes of at most
  \(CELLimits.textSize) bytes, and lists and maps of at most \(CELLimits.elements) elements. Beyond
  that, it gives no value, and the report says which limit was reached.

  """
