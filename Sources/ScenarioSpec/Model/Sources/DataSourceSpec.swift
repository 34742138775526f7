/// A database of the stage.
package struct DatabaseSpec: Sendable {
  package var name: Located<String>
  /// `:memory:`, or a file's path.
  package var path: DataSpec
  /// The statements that run when the stage is built.
  package var setup: Located<String>?
}

/// A query of a provider, or a statement of a `sql` step. Values are bound, never part of its text.
package struct StatementSpec: Sendable {
  package enum Values: Sendable {
    /// Values for `?`, in their order.
    case positional([DataSpec])
    /// Values for `:name`.
    case named([NamedData])
  }

  package var database: Located<String>
  package var text: Located<String>
  package var with: Values
}

/// A list model, which a list on a screen shows.
package struct ListSpec: Sendable {
  package enum Origin: Sendable {
    /// Items of its own, without a provider.
    case items(DataSpec)
    case provider(Located<String>, with: [NamedData], initial: DataSpec?)
  }

  package var name: Located<String>
  package var origin: Origin
  /// True if it loads before the first step, provided that it has a provider.
  package var loadsAtStart: Bool = true
}
