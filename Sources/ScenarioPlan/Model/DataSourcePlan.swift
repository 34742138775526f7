import Diagnostics

package typealias DatabaseID = ID<DatabasePlan>
package typealias ListID = ID<ListPlan>

/// A database of the stage.
package struct DatabasePlan: Sendable {
  package var name: String
  /// `:memory:`, or a file's path, seen from `folder`.
  package var path: DataPlan
  package var folder: String
  package var setup: String?
  package var range: SourceRange
}

/// A statement with the values that are bound to it.
package struct StatementPlan: Sendable {
  package enum Values: Sendable {
    case positional([DataPlan])
    case named([(name: String, value: DataPlan)])
  }

  package var database: DatabaseID
  package var text: String
  package var with: Values
  package var range: SourceRange
}

/// A list model and the nodes in which it shows itself.
package struct ListPlan: Sendable {
  package var name: String
  package var items: NodeID
  package var isLoading: NodeID
  package var error: NodeID
  /// `idle`, `loading`, `loaded`, or `{ error: … }`.
  package var state: NodeID
  /// `spinner`, `errorScreen` or `list`.
  package var visual: NodeID
  /// The load from its own provider; nil for a static list.
  package var call: ProviderCallPlan?
  /// True if it loads before the first step.
  package var loadsAtStart = true
  package var range: SourceRange
}

/// A provider, and values for its parameters.
package struct ProviderCallPlan: Sendable {
  package var provider: ProviderID
  package var arguments: [(local: LocalID, value: DataPlan)]
}
