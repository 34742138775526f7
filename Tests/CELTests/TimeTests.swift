import CEL
import Glibc
import Testing
import Values

@Suite struct TimeTests {
  @Test(
    arguments: [
      ("timestamp('2024-02-29T12:30:45.5Z').getMonth()", 1),
      ("timestamp('2024-02-29T12:30:45.5Z').getDayOfYear()", 59),
      ("timestamp('2024-02-29T12:30:45.5Z').getDayOfWeek()", 4),
      ("timestamp('2024-02-29T12:30:45.5Z').getMilliseconds()", 500),
      ("timestamp('2024-02-29T23:30:00Z').getDate('+01:00')", 1),
      ("timestamp('2024-02-29T12:30:00Z').getHours('-02:30')", 10),
      ("duration('1h30m').getMinutes()", 90),
      ("duration('90s') + duration('30s') == duration('2m')", true),
      (
        "timestamp('2024-01-01T00:00:00Z') - duration('1ms') < timestamp('2024-01-01T00:00:00Z')",
        true
      ),
      ("string(timestamp(0) + duration('36h'))", "1970-01-02T12:00:00Z"),
      ("timestamp('Sun, 06 Nov 1994 08:49:37 GMT')", .timestamp(.init(seconds: 784_111_777))),
      ("timestamp('Sun, 06 Nov 1994 09:49:37 +0100')", .timestamp(.init(seconds: 784_111_777))),
      ("timestamp('Sun Nov  6 08:49:37 1994')", .timestamp(.init(seconds: 784_111_777))),
      ("timestamp('1994-11-06T10:19:37+0130')", .timestamp(.init(seconds: 784_111_777))),
      ("timestamp('784111777')", .timestamp(.init(seconds: 784_111_777))),
      ("timestamp('784111777000')", .timestamp(.init(seconds: 784_111_777))),
      ("string(duration('-1.5s'))", "-1.5s"), ("int(timestamp('1970-01-01T00:01:00Z'))", 60),
    ] as [(String, Value)])
  func `time is added up and taken apart`(text: String, expected: Value) {
    #expect(value(text) == expected)
  }

  @Test(arguments: [
    ("timestamp('9999-12-31T23:59:59Z') + duration('1s')", "out of range"),
    ("duration('200000000000s') + duration('200000000000s')", "out of range"),
    ("timestamp('2024-02-30T00:00:00Z')", "no timestamp"), ("timestamp('2024')", "no timestamp"),
    ("timestamp('Fri, 30 Feb 2024 00:00:00 GMT')", "no timestamp"),
    ("timestamp('20240229')", "no timestamp"), ("duration('soon')", "no duration"),
    ("timestamp(0).getHours('Nowhere/At_All')", "no time zone"),
    ("timestamp(0).getHours('../../etc/passwd')", "no time zone"),
  ])
  func `time beyond the calendar and misspelled time fail`(text: String, words: String) {
    #expect(complaint(text)?.contains(words) == true, "\(complaint(text) ?? "a value")")
  }

  @Test(
    .enabled(if: access("/usr/share/zoneinfo/Europe/Paris", R_OK) == 0),
    arguments: [
      ("2024-07-01T12:00:00Z", "Europe/Paris", 14), ("2024-01-01T12:00:00Z", "Europe/Paris", 13),
      ("2024-03-31T00:59:59Z", "Europe/Paris", 1), ("2024-03-31T01:00:00Z", "Europe/Paris", 3),
      ("2150-07-01T12:00:00Z", "America/New_York", 8),
      ("2150-01-01T12:00:00Z", "America/New_York", 7),
      ("2150-01-01T12:00:00Z", "Australia/Sydney", 23),
      ("2150-07-01T12:00:00Z", "Australia/Sydney", 22),
      ("2150-07-01T12:00:00Z", "Europe/Dublin", 13), ("2150-01-01T12:00:00Z", "Europe/Dublin", 12),
      ("1800-01-01T12:00:00Z", "Europe/Paris", 12), ("2024-07-01T12:00:00Z", "Asia/Tokyo", 21),
    ])
  func `a zone's clocks follow its history and then its rule`(
    time: String, zone: String, hours: Int
  ) {
    #expect(value("timestamp('\(time)').getHours('\(zone)')") == .int(hours))
  }
}
