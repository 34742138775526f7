import Diagnostics

/// The pages of `rehearse explain` about expressions. The page of `unknown-name`, which steps
/// share, is with the names of steps.
package let celPages: [DiagnosticPage] = celFormPages + celMeaningPages
