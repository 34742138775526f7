/// Something that goes on until it is cancelled.
public protocol Cancellable: AnyObject {
  func cancel()
}

/// Keeps a subscription alive: cancelled when asked, or when dropped.
public final class AnyCancellable: Cancellable {
  private enum Target {
    case nothing
    case watcher(Graph, Int32)
    case action(() -> Void)
    case group([AnyCancellable])
  }

  private var target: Target
  public private(set) var isCancelled = false

  public init(_ cancel: @escaping () -> Void) {
    target = .action(cancel)
  }

  /// A cancellable of others, which are cancelled in the order in which they were added.
  public init(_ children: [AnyCancellable] = []) {
    target = .group(children)
  }

  @usableFromInline
  init(graph: Graph, watcher: Int32) {
    target = .watcher(graph, watcher)
  }

  deinit {
    cancel()
  }

  public func cancel() {
    isCancelled = true
    let ended = target
    target = .nothing
    switch ended {
    case .nothing: break
    case .watcher(let graph, let id): graph.arena.release(id)
    case .action(let action): action()
    case .group(let children): for child in children { child.cancel() }
    }
  }

  /// Binds the life of another to this one; if this one is cancelled already, the other is too.
  public func add(_ child: AnyCancellable) {
    if isCancelled { return child.cancel() }
    switch target {
    case .group(var children):
      target = .nothing
      children.append(child)
      target = .group(children)
    case .nothing, .watcher, .action:
      let own = AnyCancellable(moving: self)
      target = .group([own, child])
    }
  }

  private init(moving other: AnyCancellable) {
    target = other.target
    other.target = .nothing
  }

  public func store(in bag: inout Set<AnyCancellable>) {
    bag.insert(self)
  }

  public func store(in bag: inout [AnyCancellable]) {
    bag.append(self)
  }

  /// Cancels what a tracking group made in its last run, so that the next run starts afresh.
  func cancelChildren() {
    guard case .group(let children) = target else { return }
    target = .group([])
    for child in children { child.cancel() }
  }
}

extension AnyCancellable: Hashable {
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
