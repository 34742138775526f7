import Diagnostics

/// The pages of `rehearse explain` about failures of a run.
package let verdictPages: [DiagnosticPage] =
  expectPages + streamPages + assertionPages + answerPages + snapshotPages + driftPages
  + problemPages
