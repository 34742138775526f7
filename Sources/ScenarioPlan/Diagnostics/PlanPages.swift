import Diagnostics

/// What `rehearse explain` tells about names and expressions that mean nothing.
package let planPages: [DiagnosticPage] =
  planNamePages + planWritingPages
  + planStreamPages + planDataPages + planExpressionPages
