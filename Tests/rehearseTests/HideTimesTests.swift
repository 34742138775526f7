import Testing

@testable import rehearse

@Suite struct HideTimesTests {
  @Test(arguments: [
    ("waited 7.096ms", "waited …"), ("event 12, at 1m3.5s", "event …, at …"),
    ("0us 1 → 14.1ms 2", "… 1 → … 2"), ("within 50ms", "within 50ms"),
    ("2s (1s + 50ms)", "… (… + 50ms)"),
    ("a 3 b ms 4x v1.2", "a 3 b ms 4x v1.2"), ("", ""),
  ])
  func `measured times and numbers of events are hidden, and written times are not`(
    _ text: String, _ shown: String
  ) {
    #expect(hidingTimes(in: text, unless: { $0 == "50ms" }) == shown)
  }
}
