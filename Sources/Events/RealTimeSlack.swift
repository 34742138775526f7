import Values

/// How much later than its limit something may come in real time, because machines are not on time.
/// The judge and the scripts of actions keep to the same limits.
package let realTimeSlack: Microseconds = 50_000

/// The most that is allowed beyond that because the machine was seen to be late. What is later has
/// no excuse, though the failure says how late the machine was.
package let mostExcusedLag: Microseconds = 200_000
