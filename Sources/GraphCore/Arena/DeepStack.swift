import CThreadState

/// A larger stack for deep first evaluations.
///
/// A rule that reads an unevaluated node runs that node's rule inside itself. So the first read of
/// a chain from its end is as deep on the stack as the chain is long. Beyond a certain depth, the
/// evaluation continues on a fresh, larger stack while this one waits.
///
/// A level has about 16 calls in a debug build, and more if the rules call functions of their own.
/// The thread sanitizer has room for 65,536 calls of a thread, and ends the program beyond them.
enum DeepStack {
  static let firstDepth: Int32 = 256
  static let levelsPerStack: Int32 = 2_048
  static let bytesPerStack = 32 << 20

  /// Returns whether an evaluation at the first depth or a greater one needs a stack of its own.
  static func isNeeded(atDepth depth: Int32) -> Bool {
    (depth - firstDepth) % levelsPerStack == 0
  }

  /// Runs a function on a stack of its own. `withoutActuallyEscaping` would put the length of this
  /// file's path into the program, which then depends on the folder it was built in.
  @inline(never)
  static func run(_ body: @escaping () -> Void) {
    let call = Unmanaged.passRetained(Call(body))
    defer { call.release() }
    if !thread_run(bytesPerStack, call.toOpaque(), { DeepStack.enter($0) }) { body() }
  }

  private static func enter(_ argument: UnsafeMutableRawPointer) {
    let call = Unmanaged<Call>.fromOpaque(argument).takeUnretainedValue()
    ThreadState.lend(call.threadState) { call.body() }
  }

  private final class Call {
    let body: () -> Void
    let threadState = ThreadState.current

    init(_ body: @escaping () -> Void) { self.body = body }
  }
}
