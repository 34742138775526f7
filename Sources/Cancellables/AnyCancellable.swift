/// An activity that continues until it is cancelled.
public protocol Cancellable: AnyObject {
  /// Ends the activity.
  func cancel()
}

/// The owner of many subscriptions with numbers, so that none needs a closure of its own.
public protocol CancellableOwner: AnyObject {
  /// Ends the subscription with a number.
  func cancel(_ number: Int32)
}

/// A token that keeps a subscription alive. It cancels on request, or when it is released.
///
/// Each method reads or replaces a member as a whole before it calls other code. So nothing checks
/// the accesses, which would cost more than the rest.
public final class AnyCancellable: Cancellable {
  private enum Target {
    case nothing
    case numbered(any CancellableOwner, Int32)
    case action(() -> Void)
    case other(any Cancellable)
    case group([AnyCancellable])
  }

  @exclusivity(unchecked) private var target: Target
  /// True after `cancel`.
  @exclusivity(unchecked) public private(set) var isCancelled = false

  /// Makes a token that runs a closure, once.
  public init(_ cancel: @escaping () -> Void) {
    target = .action(cancel)
  }

  /// Makes a token that cancels another.
  public init(_ other: some Cancellable) {
    target = .other(other)
  }

  /// Makes a cancellable of others. They are cancelled in the order in which they were added.
  public init(_ children: [AnyCancellable] = []) {
    target = .group(children)
  }

  /// Makes a token for a subscription that its owner knows by number.
  public init(owner: any CancellableOwner, number: Int32) {
    target = .numbered(owner, number)
  }

  deinit {
    cancel()
  }

  /// Ends the activity, once.
  public func cancel() {
    isCancelled = true
    switch exchange(&target, with: .nothing) {
    case .nothing: break
    case .numbered(let owner, let number): owner.cancel(number)
    case .action(let action): action()
    case .other(let other): other.cancel()
    case .group(let children): for child in children { child.cancel() }
    }
  }

  /// Binds the life of another to this one. If this one is cancelled already, the other is
  /// cancelled at once.
  public func add(_ child: AnyCancellable) {
    if isCancelled { return child.cancel() }
    switch target {
    case .group(var children):
      target = .nothing
      children.append(child)
      target = .group(children)
    case .nothing, .numbered, .action, .other:
      let own = AnyCancellable(moving: self)
      target = .group([own, child])
    }
  }

  private init(moving other: AnyCancellable) {
    target = other.target
    other.target = .nothing
  }

  /// Cancels all added children, and stays open for more.
  public func cancelChildren() {
    guard case .group(let children) = target else { return }
    target = .group([])
    for child in children { child.cancel() }
  }
}

extension AnyCancellable {
  /// Adds the token to a set, which then keeps it.
  public func store(in bag: inout Set<AnyCancellable>) {
    bag.insert(self)
  }

  /// Adds the token to a list, which then keeps it.
  public func store(in bag: inout [AnyCancellable]) {
    bag.append(self)
  }
}

extension AnyCancellable: Hashable {
  /// Returns whether both are the same token.
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

  /// Hashes the identity of the token.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
