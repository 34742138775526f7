/// A text that is secret, and the name that stands for it.
package struct NamedSecret: Sendable, Equatable {
  package var name: String
  package var text: String

  package init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

/// Returns the text that stands for a secret in a trace.
package func secretPlaceholder(_ name: String) -> String { "‹\(name)›" }

/// The name of what is computed from values that were computed from secrets.
package let computedStem = "computed"
