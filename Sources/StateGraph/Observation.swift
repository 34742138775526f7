import GraphCore
import Observation

/// Finds out whether the toolchain's Observation records reads at the moment.
///
/// No function says so. But a recorded read puts its key path into a set, and the set asks the key
/// path for its hash.
@usableFromInline
final class ObservationProbe: Observable, Sendable {
  private struct Mark: Hashable, Sendable {
    func hash(into hasher: inout Hasher) { ThreadMark.set() }
  }

  private static let shared = ObservationProbe()
  private static let path: KeyPath<ObservationProbe, Int> & Sendable = \.[Mark()]
  private let registrar = ObservationRegistrar()

  /// True within `withObservationTracking`.
  @usableFromInline
  static var isTracking: Bool {
    shared.registrar.access(shared, keyPath: path)
    return ThreadMark.take()
  }

  private subscript(mark: Mark) -> Int { 0 }
}

/// A node as Observation sees it. It watches the node from a recorded read to the next change.
@usableFromInline
final class ObservedNode: Observable {
  private let registrar = ObservationRegistrar()
  private var token: AnyCancellable?

  /// Records a read of the node from outside of rules.
  @usableFromInline
  static func follow<Value>(_ node: GraphNode<Value>) {
    guard node.isReadOutside else { return }
    let observed = node.observation as? ObservedNode ?? ObservedNode()
    node.observation = observed
    observed.registrar.access(observed, keyPath: \.change)
    if observed.token == nil { observed.watch(node) }
  }

  private var change: Int { 0 }

  // A group rather than an observer, which would keep the node alive.
  private func watch<Value>(_ node: GraphNode<Value>) {
    var isFirst = true
    token = TrackingScope.alone {
      node.graph.group { [weak self, weak node] in
        _ = node?.value
        if !isFirst { self?.fire() }
        isFirst = false
      }
    }
  }

  private func fire() {
    token = nil
    registrar.willSet(self, keyPath: \.change)
    registrar.didSet(self, keyPath: \.change)
  }
}
