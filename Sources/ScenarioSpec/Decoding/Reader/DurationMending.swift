import Values

/// Returns what is wrong with a text that is no duration.
func reason(_ text: String, _ problem: DurationProblem) -> String {
  if text.hasPrefix("-") { return "a duration is not negative" }
  switch problem {
  case .empty: return "this is empty"
  case .bareNumber: return "a unit is missing"
  case .expectedNumber: return "a number is missing"
  case .unknownUnit(let unit):
    let name = withoutBlanks(unit)
    let isUnit = (try? parseDuration("1" + name).get()) != nil
    return isUnit ? "no space stands before a unit" : "there is no unit `\(name)`"
  case .outOfRange: return "this is finer than a microsecond, or too long"
  }
}

/// Returns the duration with the right units, if only they are wrong: `3 minutes`.
func mendedDuration(_ text: String) -> String? {
  var mended = ""
  var word = ""
  for character in text where character != " " {
    if character.isLetter {
      word.append(character)
    } else {
      mended += unit(word) + String(character)
      word = ""
    }
  }
  mended += unit(word)
  guard mended != text, case .success = parseDuration(mended) else { return nil }
  return mended
}

private func unit(_ word: String) -> String { unitsByWord[word.lowercased()] ?? word }

/// The units by other spellings.
private let unitsByWord = [
  "microsecond": "us", "microseconds": "us", "µs": "us", "millisecond": "ms",
  "milliseconds": "ms", "millis": "ms", "msec": "ms", "msecs": "ms", "second": "s",
  "seconds": "s", "sec": "s", "secs": "s", "minute": "m", "minutes": "m", "min": "m",
  "mins": "m", "hour": "h", "hours": "h", "hr": "h", "hrs": "h", "day": "d", "days": "d",
]

private func withoutBlanks(_ text: String) -> String { text.filter { $0 != " " } }
