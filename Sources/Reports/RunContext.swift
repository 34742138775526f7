import Diagnostics
import Secrets
import Values

/// The origin of a report: what was run, and where.
package struct RunContext: Sendable {
  /// The command with its arguments, as a shell takes them.
  package var command: String
  /// The commit of the repository in which it ran.
  package var commit: String?
  /// The environment of `rehearse.yaml` that was chosen.
  package var environment: String?
  package var system: String
  /// The program with its version.
  package var program: String

  package init(
    command: String, commit: String?, environment: String?, system: String, program: String
  ) {
    self.command = command
    self.commit = commit
    self.environment = environment
    self.system = system
    self.program = program
  }
}

extension JSONWriter {
  /// Appends the origin of a run. A report without real times leaves it out, so that two of them
  /// are equal to the byte.
  mutating func addContext(of run: RunReport, withCommand: Bool = true) {
    guard run.wall != nil, let context = run.context else { return }
    member("run") { writer in
      writer.object {
        if let began = run.began { $0.member("began", Timestamp(seconds: began / 1000).text) }
        if withCommand {
          $0.member("command", run.files.reduce(context.command) { $1.mask.masked($0) })
        }
        if let commit = context.commit { $0.member("commit", commit) }
        if let environment = context.environment { $0.member("environment", environment) }
        $0.member("system", context.system)
        $0.member("by", context.program)
      }
    }
  }
}
