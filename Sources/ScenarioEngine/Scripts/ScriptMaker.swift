import ScenarioPlan
import Values

/// A maker of scripts, for objects that have parts of a run and not the whole of it.
struct ScriptMaker {
  private unowned let run: ScriptEnvironment

  init(_ run: ScriptEnvironment) { self.run = run }

  /// A script with these locals; it begins when it is resumed.
  func make(_ script: ScriptID, _ role: ScriptRun.Role, _ locals: [Value]) -> ScriptRun {
    let frame = FramePlan(script: script, localCount: locals.count)
    return ScriptRun(run, frame: frame, role: role, locals: locals)
  }

  /// A script whose locals are not set yet.
  func make(_ frame: FramePlan, _ role: ScriptRun.Role) -> ScriptRun {
    ScriptRun(run, frame: frame, role: role)
  }
}
