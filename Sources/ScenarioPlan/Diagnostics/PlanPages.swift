import Diagnostics

/// The pages of `rehearse explain` about names and expressions without a meaning.
package let planPages: [DiagnosticPage] =
  planNamePages + planWritingPages
  + planStreamPages + planAwaitPages + planDataPages + planExpressionPages + routePages
  + assertionPages + textPages
