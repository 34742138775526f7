import Glibc
import ScenarioRuns

/// Returns a seed that no earlier run had: the time, and the process for those that start at once.
func newSeed() -> Int { calendarMilliseconds() << 10 | Int(getpid()) & 0x3FF }
