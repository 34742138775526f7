/// The values of many nodes as one collection, for rules that read them all.
///
/// Reading an element reads its node, and records the read. An array of nodes would retain and
/// release each of them on the way, which costs as much as the reading.
public struct NodeValues<Value> {
  @usableFromInline let nodes: [GraphNode<Value>]
  @usableFromInline let places: ContiguousArray<Place>

  @frozen
  @usableFromInline
  struct Place {
    @usableFromInline let arena: Arena
    @usableFromInline let slot: UnsafeMutablePointer<Value>
    @usableFromInline let id: Int32

    @inlinable
    init(_ node: GraphNode<Value>) {
      arena = node.arena
      slot = node.slot
      id = node.id
    }
  }

  /// Makes a collection of the present values of nodes.
  @inlinable
  public init(_ nodes: [GraphNode<Value>]) {
    self.nodes = nodes
    places = ContiguousArray(nodes.map { Place($0) })
  }
}

extension NodeValues: RandomAccessCollection {
  /// The position of the first node: zero.
  @inlinable public var startIndex: Int { 0 }
  /// The number of nodes.
  @inlinable public var endIndex: Int { places.count }

  /// The value of the node at a position, recorded as a read.
  @inlinable
  public subscript(position: Int) -> Value {
    @inline(__always)
    get {
      let place = places[position]
      if place.arena.isShared {
        place.arena.willReadShared(place.id)
      } else {
        place.arena.willRead(place.id)
      }
      return place.slot.pointee
    }
  }
}
