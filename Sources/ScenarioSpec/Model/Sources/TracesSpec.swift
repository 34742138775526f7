import Values

/// The settings for the contents of traces, and for comparisons in replays.
package struct TracesSpec: Sendable {
  /// Headers and parts that traces have as they are.
  package var keep: [Located<ValuePart>]?
  /// Headers and parts that traces have only by name.
  package var hide: [Located<ValuePart>]?
  /// The parts of a request that choose the recorded exchange which answers it.
  package var match: [Located<ValuePart>]?
  /// The parts that a replay does not compare.
  package var ignore: [Located<ValuePart>]?

  package init() {}

  /// Adds what an outer file gives. What is hidden there is hidden here as well.
  package mutating func complete(by outer: TracesSpec) {
    keep = keep ?? outer.keep
    match = match ?? outer.match
    ignore = ignore ?? outer.ignore
    if let others = outer.hide { hide = (hide ?? []) + others }
  }
}
