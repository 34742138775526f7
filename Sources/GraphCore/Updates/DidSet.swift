extension Stored {
  /// Calls a function after each assignment, with the value before it and the assigned one.
  ///
  /// It is called for an equal value as well, and within a transaction for each assignment, before
  /// the transaction ends. A rollback does not call it. Elsewhere the assignment has been delivered
  /// before. Its reads are not recorded, and its writes are assignments like others: if it sets the
  /// same node, it needs a condition to end.
  ///
  /// A node has one such function: another one takes its place, and nil ends it. The node keeps the
  /// function, so it captures the owner of the node weakly.
  public func onDidSet(_ handler: ((_ oldValue: Value, _ newValue: Value) -> Void)?) {
    assigned = handler
  }

  /// Sets the value, and calls the function. A write that is refused is no assignment.
  @usableFromInline
  func assign(_ newValue: Value, then report: (Value, Value) -> Void) {
    arena.alone {
      guard arena.mayWrite(id) else { return }
      let oldValue = slot.pointee
      write(newValue)
      #if DEBUG
        arena.watchNesting(of: id)
      #endif
      arena.untracked { report(oldValue, newValue) }
    }
  }
}
