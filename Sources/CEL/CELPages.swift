import Diagnostics

/// What `rehearse explain` tells about expressions.
package let celPages: [DiagnosticPage] = []
