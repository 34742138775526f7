import CWarden
import Diagnostics

/// A reason why programs cannot be in virtual time on a machine.
package enum WardenObstacle: Error, CaseIterable {
  case wrongMachine, tracedAlready, noTrace, noFilter, noCounts, noCalls, noMemory, noClockPage
  case noSocketStates

  /// Returns nil if it is possible.
  init?(_ found: cwarden_obstacle) {
    switch found {
    case cwarden_wrong_machine: self = .wrongMachine
    case cwarden_traced_already: self = .tracedAlready
    case cwarden_no_trace: self = .noTrace
    case cwarden_no_filter: self = .noFilter
    case cwarden_no_counts: self = .noCounts
    case cwarden_no_calls: self = .noCalls
    case cwarden_no_memory: self = .noMemory
    case cwarden_no_clock_page: self = .noClockPage
    case cwarden_no_socket_states: self = .noSocketStates
    default: return nil
    }
  }

  /// Returns the complaint, at the place that asks for virtual time.
  package func diagnostic(at place: SourceRange? = nil) -> Diagnostic {
    Diagnostic(
      "no-virtual-time", reason, labels: place.map { [.init($0)] } ?? [],
      help: place == nil ? help : "\(help); `--real-time` runs it by the machine's clock")
  }

  private var reason: String {
    switch self {
    case .wrongMachine: "virtual time of programs needs Linux on an x86-64 processor"
    case .tracedAlready: "this process is traced already, by a debugger or another `rehearse time`"
    case .noTrace: "ptrace is not permitted here"
    case .noFilter: "the system has no filter of system calls (seccomp) that stops them"
    case .noCounts: "the system does not count how often a thread runs (/proc/…/schedstat)"
    case .noCalls: "the system does not show in which call a thread sleeps (/proc/…/syscall)"
    case .noMemory: "the memory of programs cannot be read and written here"
    case .noClockPage: "the system has no page with the functions of its clock (vDSO)"
    case .noSocketStates: "the system does not say what its sockets hold (sock_diag)"
    }
  }

  private var help: String {
    switch self {
    case .wrongMachine, .noCounts, .noClockPage: "run the command in real time"
    case .tracedAlready: "leave the debugger, or the outer `rehearse time`, out"
    case .noTrace, .noFilter, .noCalls, .noMemory, .noSocketStates:
      "in a container: docker run --cap-add SYS_PTRACE, or --security-opt seccomp=unconfined"
    }
  }
}
