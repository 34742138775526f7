import Diagnostics

/// The pages of `rehearse explain` about all diagnostics of this room, by topic.
package let specPages: [DiagnosticPage] =
  keysPages + namesPages + valuesPages + stepsPages
  + streamPages + dataSourcePages + tablePages + connectionPages + programSpecPages
