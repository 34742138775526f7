import Values

/// A compiled expression: its result type, what it reads, and how to evaluate it.
// Nodes do not change after they are built, so threads may share them.
package final class CELProgram: @unchecked Sendable {
  /// The type of the result, as far as it is known before evaluation.
  package let type: CELType
  /// The slots the expression may read, in ascending order.
  package let readSlots: [Int]
  /// The addresses of those slots, as the expression spells them, in order of appearance.
  package let addresses: [SlotAddress]
  /// Each place that reads a slot, with the fields that it reads of its value.
  package let readFields: [SlotFields]
  /// The result, if it does not depend on any slot.
  package let constant: Value?
  /// True if the result is the value of a slot, or a part of it.
  package let isRead: Bool
  /// The keys of the result, if the expression is a map with literal ones.
  package var memberNames: [String]? { root.memberNames }
  let root: Node
  let localCount: Int

  init(
    type: CELType, readSlots: [Int], addresses: [SlotAddress], readFields: [SlotFields],
    constant: Value?, root: Node, localCount: Int
  ) {
    self.type = type
    self.readSlots = readSlots
    self.addresses = addresses
    self.readFields = readFields
    self.constant = constant
    self.root = root
    isRead = root.isRead
    self.localCount = localCount
  }

  /// The addresses without their slots.
  package var readAddresses: [String] { addresses.map(\.name) }

  /// Returns the sides of the first comparison of texts for which the expression is false.
  package func unequalTexts(_ slots: any CELSlots) -> (String, String)? {
    var frame = Frame(slots: slots, localCount: localCount)
    return try? root.unequalTexts(&frame)
  }

  /// Evaluates the expression. Slots are read when they are needed, from left to right.
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

/// A slot that an expression reads by an address.
package struct SlotAddress: Sendable, Equatable {
  package var slot: Int
  package var name: String
}

/// A slot that an expression reads, and the fields behind it: those of `session.user.id` are `user`
/// and `id`.
package struct SlotFields: Sendable, Equatable {
  package var slot: Int
  package var fields: [String]
}

/// The source of the values behind an expression's names. Each read passes through here, so the
/// provider sees what an evaluation depends on.
package protocol CELSlots: AnyObject {
  func value(of slot: Int) -> Value
}

/// Slots with a fixed list of values; a slot beyond them is null.
package final class FixedSlots: CELSlots {
  package var values: [Value]

  package init(_ values: [Value] = []) { self.values = values }

  package func value(of slot: Int) -> Value {
    values.indices.contains(slot) ? values[slot] : .null
  }
}

package typealias CELResult = Result<Value, CELFailure>

/// The reason why an evaluation gave no value, and the part of the expression that caused it.
package struct CELFailure: Error, Sendable, Equatable {
  /// Byte offset into the expression's text.
  package var offset: Int
  /// The number of bytes that the failing part covers.
  package var length: Int
  package var message: String
  /// The text to write instead.
  package var help: String?
}

/// Parses, checks and compiles an expression; all mistakes are reported together.
///
/// Without `checked`, unknown names and wrong types fail only when they are evaluated. The language
/// without its checker behaves so.
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
