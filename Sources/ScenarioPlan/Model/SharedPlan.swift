/// A plan behind one reference, so that its holders copy one pointer and not each table.
package final class SharedPlan: Sendable {
  package let plan: ScenarioPlan

  package init(_ plan: ScenarioPlan) { self.plan = plan }
}
