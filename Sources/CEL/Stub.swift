import Values

package struct CELProgram: Sendable {
  private let body: @Sendable (any CELSlots) -> CELResult
  package init(_ body: @escaping @Sendable (any CELSlots) -> CELResult) { self.body = body }
  package func evaluate(_ slots: any CELSlots) -> CELResult { body(slots) }
}

package protocol CELSlots: AnyObject {
  func value(of slot: Int) -> Value
}

package typealias CELResult = Result<Value, CELFailure>

package struct CELFailure: Error, Sendable, Equatable {
  package var offset: Int
  package var length: Int
  package var message: String
  package init(offset: Int, length: Int, message: String) {
    self.offset = offset
    self.length = length
    self.message = message
  }
}

package struct CELPattern: Sendable {
  package let text: String
  private let body: @Sendable (String) -> Bool
  package init(text: String, _ body: @escaping @Sendable (String) -> Bool) {
    self.text = text
    self.body = body
  }
  package func matches(_ text: String) -> Bool { body(text) }
}
