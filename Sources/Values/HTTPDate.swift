import TextSearch

/// The dates of header fields.
package enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Returns the seconds since 1970; nil if the text is not a date. It reads all forms that servers
  /// have sent, as cookies require: the parts may be in any order.
  package static func seconds(_ text: String) -> Int? {
    var day: Int?
    var month: Int?
    var year: Int?
    var time: Int?
    for token in text.lowercasedASCII.split(whereSeparator: { " \t,-".contains($0) }) {
      if time == nil, let found = secondsOfDay(token) {
        time = found
      } else if month == nil, let found = months.firstIndex(where: { token.hasPrefix($0) }) {
        month = found + 1
      } else if let number = Int(token), number >= 0 {
        if day == nil, token.count <= 2 { day = number } else { year = year ?? fullYear(number) }
      }
    }
    guard let day, let month, let year, let time, (1601...9999).contains(year) else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    guard date.isValid else { return nil }
    return date.daysSince1970 * 86_400 + time
  }

  private static func fullYear(_ number: Int) -> Int {
    number >= 100 ? number : number < 70 ? 2000 + number : 1900 + number
  }

  private static func secondsOfDay(_ token: Substring) -> Int? {
    let parts = token.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard parts.count == 3, (0...23).contains(parts[0]), (0...59).contains(parts[1]),
      (0...60).contains(parts[2])
    else { return nil }
    return parts[0] * 3600 + parts[1] * 60 + parts[2]
  }
}
