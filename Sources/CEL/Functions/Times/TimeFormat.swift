import Values

/// Timestamps as text, by the letters of `strftime`: `%Y-%m-%d`.
enum TimeFormat {
  private static let days = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// Returns the text of a timestamp, in UTC or in the zone that the third value names.
  static func text(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .timestamp(let time) = values[0], case .string(let format) = values[1] else {
      throw .noOverload("format", values)
    }
    var offset = 0
    if values.count > 2 {
      guard case .string(let zone) = values[2] else { throw .noOverload("format", values) }
      offset = try TimeZones.offset(of: zone, at: time.seconds, &meter)
    }
    try meter.make(bytes: format.utf8.count * 12)
    return .string(try Moment(time, offset).text(by: format))
  }

  /// Returns what is wrong with a format.
  static func problem(in format: String) -> CELFault? {
    do throws(CELFault) {
      _ = try Moment(Timestamp(seconds: 0), 0).text(by: format)
      return nil
    } catch {
      return error
    }
  }

  /// A timestamp in a zone.
  private struct Moment {
    let time: Timestamp
    let offset: Int
    let local: LocalTime

    init(_ time: Timestamp, _ offset: Int) {
      self.time = time
      self.offset = offset
      local = LocalTime(seconds: time.seconds &+ offset)
    }

    func text(by format: String) throws(CELFault) -> String {
      var text = ""
      var letters = format.unicodeScalars.makeIterator()
      while let letter = letters.next() {
        guard letter == "%" else {
          text.unicodeScalars.append(letter)
          continue
        }
        guard let clause = letters.next() else { throw CELFault("a format ends after its `%`") }
        text += try part(clause)
      }
      return text
    }

    private func part(_ letter: Unicode.Scalar) throws(CELFault) -> String {
      if let part = date(letter) ?? clock(letter) { return part }
      switch letter {
      case "F": return "\(try part("Y"))-\(try part("m"))-\(try part("d"))"
      case "T": return "\(try part("H")):\(try part("M")):\(try part("S"))"
      case "%": return "%"
      default:
        throw CELFault(
          "a time has no clause `%\(letter)`",
          help:
            "those of a day are %Y %m %d %j %a %A %b %B %F, those of a time %H %I %p %M %S %L %f "
            + "%z %s %T")
      }
    }

    private func date(_ letter: Unicode.Scalar) -> String? {
      let date = local.date
      return switch letter {
      case "Y": digits(date.year, 4)
      case "y": digits(date.year % 100, 2)
      case "m": digits(date.month, 2)
      case "d": digits(date.day, 2)
      case "e": String(date.day)
      case "j": digits(date.dayOfYear + 1, 3)
      case "A": days[date.weekday]
      case "a": String(days[date.weekday].prefix(3))
      case "B": months[date.month - 1]
      case "b": String(months[date.month - 1].prefix(3))
      default: nil
      }
    }

    private func clock(_ letter: Unicode.Scalar) -> String? {
      let hour = local.second / 3600
      return switch letter {
      case "H": digits(hour, 2)
      case "I": digits((hour + 11) % 12 + 1, 2)
      case "p": hour < 12 ? "AM" : "PM"
      case "M": digits(local.second / 60 % 60, 2)
      case "S": digits(local.second % 60, 2)
      case "L": digits(Int(time.nanoseconds) / 1_000_000, 3)
      case "f": digits(Int(time.nanoseconds) / 1000, 6)
      case "s": String(time.seconds)
      case "z":
        (offset < 0 ? "-" : "+") + digits(abs(offset) / 3600, 2) + digits(abs(offset) / 60 % 60, 2)
      default: nil
      }
    }

    private func digits(_ number: Int, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
  }
}
