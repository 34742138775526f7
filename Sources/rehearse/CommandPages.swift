import Diagnostics

/// What `rehearse explain` tells about files and folders the commands work with.
let commandPages: [DiagnosticPage] = []
