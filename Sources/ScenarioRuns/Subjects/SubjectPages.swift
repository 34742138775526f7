import Diagnostics

/// The pages of `rehearse explain` about Swift objects that play parts of scenarios.
package let subjectPages = [
  DiagnosticPage(
    id: "subject-mismatch", title: "A Swift object does not fit its part",
    text: """
      A Swift object plays a part of the stage by the names that the scenario uses. Each action \
      that a step sends has to be a case of the object's `Action`, and each field under `state` a \
      member of its `State`, which begins with the same value. A step cannot set what the object \
      owns. If the object plays a component, its `State` needs what the scenario reads and only \
      the component's reactors write, and a step may set a member for which there is an action, \
      such as `setStatus`. The message names both sides. Nothing has run.
      """,
    wrong: """
      // send: counter.increment
      enum Action: CaseIterable { case incremnt }
      """,
    right: """
      // send: counter.increment
      enum Action: CaseIterable { case increment }
      """),
  DiagnosticPage(
    id: "subject-waits-outside", title: "A Swift object waits for something outside",
    text: """
      All that an object awaits runs on the scenario's thread, in virtual time: the clock, the \
      endpoints, tasks and actors of its own. What another thread, a queue or a real clock does \
      has no place there. If an action waits for it, nothing in the scenario can continue the \
      action. Give the object what the context of its binding has, or a replacement that answers \
      at once.
      """,
    wrong: """
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { continuation.resume() }
      }
      """,
    right: """
      try await clock.sleep(for: .seconds(1))    // the context's `clock`
      """),
  DiagnosticPage(
    id: "scenarios-not-found", title: "A test has no scenario to run",
    text: """
      `Scenarios(in:)` takes the path of a file or folder. A relative path is one of the working \
      folder, or of a folder around the file of the test. A path without any scenario gives one \
      test case, which fails, so that no test passes because there is nothing to run.
      """,
    wrong: """
      @Test(arguments: Scenarios(in: "scenario/licensing"))
      """,
    right: """
      @Test(arguments: Scenarios(in: "scenarios/licensing"))
      """),
]
