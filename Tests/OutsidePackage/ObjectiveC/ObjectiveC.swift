// As much of the module as selectors and outlets need. Nothing is called.

public struct Selector: ExpressibleByStringLiteral, Sendable {
  public init(stringLiteral name: String) {}
}
