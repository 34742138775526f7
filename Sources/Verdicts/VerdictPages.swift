import Diagnostics

package let verdictPages: [DiagnosticPage] = []
