import Values

/// An expression that was understood: what it gives, what it reads, and how to evaluate it.
// Nodes are never written once they are built, so that threads may share them.
package struct CELProgram: @unchecked Sendable {
  /// What is known of the result before evaluation.
  package let type: CELType
  /// The slots the expression may read, in ascending order.
  package let readSlots: [Int]
  /// The addresses behind those slots, as the expression spells them, in order of appearance.
  package let readAddresses: [String]
  /// The result, where nothing has to be read to know it.
  package let constant: Value?
  let root: Node
  let localCount: Int

  /// Evaluates the expression; slots are read as they are needed, from left to right.
  package func evaluate(_ slots: any CELSlots) -> CELResult {
    if let constant { return .success(constant) }
    var frame = Frame(slots: slots, localCount: localCount)
    do {
      return .success(try root.evaluate(&frame))
    } catch {
      return .failure(error)
    }
  }
}

/// Where an expression's names get their values from; each read passes through here, so whoever
/// provides the slots can see what an evaluation depended on.
package protocol CELSlots: AnyObject {
  func value(of slot: Int) -> Value
}

/// Slots that hold these values and no others; a slot beyond them is null.
package final class FixedSlots: CELSlots {
  package var values: [Value]

  package init(_ values: [Value] = []) { self.values = values }

  package func value(of slot: Int) -> Value {
    values.indices.contains(slot) ? values[slot] : .null
  }
}

package typealias CELResult = Result<Value, CELFailure>

/// Why an evaluation gave no value, and which part of the expression is to blame.
package struct CELFailure: Error, Sendable, Equatable {
  /// Byte offset into the expression's text.
  package var offset: Int
  /// Bytes the failing part covers.
  package var length: Int
  package var message: String

  package init(offset: Int, length: Int, message: String) {
    self.offset = offset
    self.length = length
    self.message = message
  }
}

/// Reads, checks and compiles an expression; all mistakes found are reported together.
///
/// Without `checked`, unknown names and wrong types wait until they are evaluated; that is how the
/// language behaves without its checker.
package func compileCEL(
  _ text: String, scope: CELScope, checked: Bool = true
) -> Result<CELProgram, CELProblems> {
  do {
    let syntax = try Parser.parse(Array(text.utf8))
    return Compiler.compile(syntax, scope, checked: checked)
  } catch {
    return .failure(CELProblems(all: [error]))
  }
}
