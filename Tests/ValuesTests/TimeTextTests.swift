import Testing
import Values

@Suite struct TimeTextTests {
  @Test(arguments: [
    ("300ms", 300_000), ("2s", 2_000_000), ("1m30s", 90_000_000), ("7d", 604_800_000_000),
    ("1h", 3_600_000_000), ("500us", 500), ("1.5s", 1_500_000), ("0s", 0),
  ])
  func `scenario durations read as microseconds`(text: String, length: Microseconds) {
    #expect(parseDuration(text) == .success(length))
  }

  @Test(arguments: [
    ("", DurationProblem.empty), ("5", .bareNumber), ("1m30", .bareNumber), ("s", .expectedNumber),
    ("-1s", .expectedNumber), ("2 s", .unknownUnit(" s")), ("3min", .unknownUnit("min")),
    ("200000000d", .outOfRange), ("0.1us", .outOfRange), ("1.s.", .expectedNumber),
    ("106751991d106751991d", .outOfRange),
  ])
  func `what is no duration is refused for its reason`(text: String, problem: DurationProblem) {
    #expect(parseDuration(text) == .failure(problem))
  }

  @Test(arguments: [
    (0, "0ms"), (500, "500us"), (1500, "1.5ms"), (300_000, "300ms"), (1_500_000, "1.5s"),
    (90_000_000, "1m30s"), (86_400_000_000, "1d"), (3_600_500_000, "1h0.5s"), (-2000, "-2ms"),
  ])
  func `durations are written in the fewest units`(length: Microseconds, text: String) {
    #expect(durationText(length) == text)
    if length >= 0 { #expect(parseDuration(text) == .success(length)) }
  }

  @Test(arguments: [
    ("1h30m", "5400s"), ("1.5s", "1.5s"), ("-2ms", "-0.002s"), ("0", "0s"),
    ("1us1ns", "0.000001001s"), ("7d", "604800s"), ("1d12h", "129600s"),
    ("+1m", "60s"), ("315576000000s", "315576000000s"),
  ])
  func `lengths of time read and are written in seconds`(text: String, written: String) {
    #expect(TimeSpan(text: text)?.text == written)
  }

  @Test(arguments: [
    "", "-", "1", "1x", "s", "315576000001s", "99999999999999999999999999h", "0.1ns",
    "1.0000000001s",
  ])
  func `what is no length of time is refused`(text: String) {
    #expect(TimeSpan(text: text) == nil)
  }

  @Test func `a very long text of amounts does not overflow`() {
    #expect(TimeSpan(text: String(repeating: "999999999999999999999999h", count: 100)) == nil)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0, 0, "1970-01-01T00:00:00Z"),
    ("2009-02-13T23:31:30.5Z", 1_234_567_890, 500_000_000, "2009-02-13T23:31:30.5Z"),
    ("2000-02-29T01:00:00+01:00", 951_782_400, 0, "2000-02-29T00:00:00Z"),
    ("0001-01-01T00:00:00Z", -62_135_596_800, 0, "0001-01-01T00:00:00Z"),
    ("1969-12-31T23:59:59.000000001Z", -1, 1, "1969-12-31T23:59:59.000000001Z"),
  ])
  func `timestamps read and are written as RFC 3339`(
    text: String, seconds: Int, nanoseconds: Int32, written: String
  ) {
    let timestamp = Timestamp(text: text)
    #expect(timestamp == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    #expect(timestamp?.text == written)
  }

  @Test(arguments: [
    ("0001-01-01T00:00:00Z", -62_135_596_800), ("0999-12-31T23:59:59Z", -30_610_224_001),
    ("1969-12-31T23:59:59Z", -1), ("1970-01-01T00:00:00Z", 0),
    ("2000-02-29T09:08:07Z", 951_815_287), ("9999-12-31T23:59:59Z", 253_402_300_799),
  ])
  func `a whole second is written with all of its zeros`(text: String, seconds: Int) {
    #expect(Timestamp(seconds: seconds, nanoseconds: 0).text == text)
  }

  @Test(arguments: [
    "2001-02-29T00:00:00Z", "2000-01-01", "2000-01-01T24:00:00Z", "2000-01-01T00:00:00",
    "2000-13-01T00:00:00Z", "0000-12-31T00:00:00Z", "2000-01-01T00:00:00.Z",
    "10000-01-01T00:00:00Z",
  ])
  func `what is no timestamp is refused`(text: String) {
    #expect(Timestamp(text: text) == nil)
  }

  @Test func `every day of four centuries reads back as itself`() {
    for days in stride(from: -146_097, to: 146_097, by: 1) {
      #expect(CivilDate(daysSince1970: days).daysSince1970 == days)
    }
    #expect(CivilDate(year: 2024, month: 12, day: 31).dayOfYear == 365)
    #expect(CivilDate(year: 1970, month: 1, day: 1).weekday == 4)
    #expect(!CivilDate(year: 1900, month: 2, day: 29).isValid)
  }
}
