import ScenarioPlan

/// Tests name rows by their numbers, as the logs they write by hand do.
extension ID: ExpressibleByIntegerLiteral {
  public init(integerLiteral index: Int) { self.init(index) }
}
