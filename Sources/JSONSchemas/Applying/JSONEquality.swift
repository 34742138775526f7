import Values

/// Returns whether two values are equal by JSON Schema: numbers by their value, text by its code
/// points.
func sameJSON(_ left: Value, _ right: Value) -> Bool {
  switch (left, right) {
  case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy(sameJSON)
  case (.map(let a), .map(let b)): sameEntries(a, b)
  default: left == right
  }
}

private func sameEntries(_ left: ValueMap, _ right: ValueMap) -> Bool {
  left.count == right.count
    && left.allSatisfy { key, value in right[key].map { sameJSON(value, $0) } ?? false }
}

/// Returns the positions of the first two equal elements.
func firstPairOfEquals(_ elements: [Value]) -> (Int, Int)? {
  if elements.count < 2 { return nil }
  var positions: [UInt64: [Int]] = [:]
  for (position, element) in elements.enumerated() {
    let sum = checksum(element)
    for earlier in positions[sum, default: []] where sameJSON(elements[earlier], element) {
      return (earlier, position)
    }
    positions[sum, default: []].append(position)
  }
  return nil
}

/// Returns a number that is the same for equal values and rarely for others. The order of a map's
/// entries is ignored.
private func checksum(_ value: Value) -> UInt64 {
  switch value {
  case .string(let text):
    return text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  case .list(let elements):
    return elements.reduce(7) { mixed($0 &* 31 &+ checksum($1)) }
  case .map(let map):
    return map.reduce(11) { $0 &+ mixed(checksum($1.key) &* 31 &+ checksum($1.value)) }
  case .int, .uint, .double:
    return checksum(ofNumber: value)
  case .null, .bool, .digits, .bytes, .timestamp, .duration, .type, .optional:
    return checksum(.string(value.json()))
  }
}

private func checksum(ofNumber value: Value) -> UInt64 {
  switch value {
  case .int(let number): mixed(UInt64(bitPattern: Int64(number)))
  case .uint(let number): mixed(UInt64(number))
  case .double(let number):
    if let whole = Int(exactly: number) {
      mixed(UInt64(bitPattern: Int64(whole)))
    } else if let whole = UInt(exactly: number) {
      mixed(UInt64(whole))
    } else {
      mixed(number.bitPattern)
    }
  default: 0
  }
}

private func mixed(_ number: UInt64) -> UInt64 {
  var number = number &* 0x9E37_79B9_7F4A_7C15
  number ^= number >> 29
  return number &* 0xBF58_476D_1CE4_E5B9
}
