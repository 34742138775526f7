/// The record of a tracking group.
typealias GroupWork = TypedWork<GroupPayload, Void>

/// The contents that the record of a group lends to calls of its owner's code.
struct GroupPayload: ~Copyable {
  let run: () -> Void
  let children = AnyCancellable()

  borrowing func deliver(in graph: Graph) {
    children.cancelChildren()
    TrackingScope.open(children, in: graph, run)
  }

  borrowing func close() { children.cancel() }
}

extension TypedWork where Payload == GroupPayload, Value == Void {
  init(_ id: Int32, in arena: Arena, name: String?, run: @escaping () -> Void) {
    self.init(
      NodeWork.Header(id, in: arena, name: name) { work, operation, _ in
        Self(work).perform(operation)
      },
      GroupPayload(run: run), values: 0)
  }

  private func perform(_ operation: NodeOperation) -> Bool {
    switch operation {
    case .stage: return true
    case .deliver:
      record.pointee.payload.deliver(in: arena.state.pointee.graph)
    case .close: record.pointee.payload.close()
    case .destroy:
      record.pointee.payload.close()
      destroy(values: 0)
    case .update, .save, .forget, .restore, .rebase, .fallBack: break
    }
    return false
  }
}
