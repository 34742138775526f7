import Testing
import Values

@Suite struct OutputBytesTests {
  @Test func `bytes stay when there is no room for more`() {
    var bytes = OutputBytes(minimumCapacity: 1)
    var expected: [UInt8] = []
    for number in 0..<1_000 {
      bytes.append("ab")
      bytes.append(UInt8(truncatingIfNeeded: number))
      expected += [0x61, 0x62, UInt8(truncatingIfNeeded: number)]
    }
    #expect(bytes.array == expected)
    bytes.removeBytes(from: 3)
    bytes.append("c")
    #expect(bytes.array == [0x61, 0x62, 0, 0x63])
  }

  @Test(arguments: [0, 9, 10, 99, 100, 12_345, -1, -10, Int.max, Int.min])
  func `an integer has all of its digits`(number: Int) {
    var bytes = OutputBytes(minimumCapacity: 1)
    bytes.appendDecimal(number)
    #expect(bytes.text == String(number))
  }

  @Test func `the largest integer without a sign has twenty digits`() {
    var bytes = OutputBytes(minimumCapacity: 1)
    bytes.appendDecimal(UInt.max)
    #expect(bytes.text == "18446744073709551615")
  }

  @Test(arguments: [
    ("", #""""#), ("plain", #""plain""#), ("a\"b\\c", #""a\"b\\c""#),
    ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#), ("\u{0}\u{f}\u{1F}", #""\u0000\u000f\u001f""#),
    ("eight by\u{1}tes — “more” 🙂", #""eight by\u0001tes — “more” 🙂""#),
  ])
  func `text is escaped as JSON wants`(text: String, json: String) {
    var bytes = OutputBytes(minimumCapacity: 1)
    bytes.appendJSON(text: text)
    #expect(bytes.text == json)
  }
}
