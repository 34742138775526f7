import Values

/// How much later than its limit something may come in real time, because machines are not on time.
/// The judge and the scripts of actions keep to the same limits.
package let realTimeSlack: Microseconds = 50_000
