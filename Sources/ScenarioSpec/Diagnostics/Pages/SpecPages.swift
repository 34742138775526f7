import Diagnostics

/// What `rehearse explain` tells about every complaint of this room, in the order of its subjects.
package let specPages: [DiagnosticPage] =
  keysPages + namesPages + valuesPages + stepsPages
  + streamPages + dataSourcePages + tablePages + connectionPages
