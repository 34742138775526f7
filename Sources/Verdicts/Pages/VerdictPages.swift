import Diagnostics

/// The pages of `rehearse explain` about failures of a run.
package let verdictPages: [DiagnosticPage] =
  expectPages + streamPages + invariantPages + assertionPages + answerPages + snapshotPages
  + driftPages
  + problemPages + programPages
