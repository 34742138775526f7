import Diagnostics

/// What `rehearse explain` tells about expressions; `unknown-name`, which steps share with them, is
/// told about where names of steps are.
package let celPages: [DiagnosticPage] = celFormPages + celMeaningPages
