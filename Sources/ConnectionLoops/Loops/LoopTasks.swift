/// The executor of tasks that run on a loop.
///
/// It is another object than the loop, since one object for both kinds of executors would queue
/// each call between the code of an actor and other code again.
final class LoopTasks: TaskExecutor {
  private let loop: ConnectionLoop

  init(_ loop: ConnectionLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) { loop.add(.ofTask(UnownedJob(job), on: self)) }
}

/// The executor of a loop's tasks while somebody uses it. It keeps the loop, not the loop it.
struct LoopTasksPlace: Sendable {
  private weak var tasks: LoopTasks?

  mutating func tasks(of loop: ConnectionLoop) -> LoopTasks {
    if let tasks { return tasks }
    let tasks = LoopTasks(loop)
    self.tasks = tasks
    return tasks
  }
}
