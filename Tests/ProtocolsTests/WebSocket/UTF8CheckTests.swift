import Testing

@testable import Protocols

struct `checking UTF-8` {
  @Test(
    arguments: [
      ([0xC0], 1), ([0xC1], 1), ([0xF5], 1), ([0xFF], 1), ([0x80], 1), ([0xE0, 0x9F], 2),
      ([0xED, 0xA0], 2), ([0xF0, 0x8F], 2), ([0xF4, 0x90], 2), ([0xC3, 0x28], 2),
      ([0xE2, 0x82, 0x41], 3), ([0xF0, 0x90, 0x80, 0x41], 4), ([0x61, 0xF4, 0x8F, 0xBF, 0xC0], 5),
    ] as [([UInt8], Int)])
  func `reports the first wrong byte`(bytes: [UInt8], wrong: Int) {
    var check = UTF8Check()
    #expect(take(Array(bytes[..<(wrong - 1)]), &check))
    #expect(!take(Array(bytes[(wrong - 1)...]), &check))
  }

  @Test func `says of two bytes and more what Swift says`() {
    let edges: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
      0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5,
    ]
    for first in edges {
      for second in edges {
        for third in edges {
          for fourth in [0x41, 0x80, 0xBF, 0xC0] as [UInt8] {
            let bytes = [first, second, third, fourth]
            let expected = String(validating: bytes, as: UTF8.self) != nil
            var check = UTF8Check()
            guard (take(bytes, &check) && check.isComplete) == expected else {
              Issue.record("\(bytes)")
              return
            }
          }
        }
      }
    }
  }

  @Test func `finds a wrong byte wherever it stands among plain letters`() {
    for place in 0..<40 {
      var bytes = [UInt8](repeating: 0x61, count: 40)
      bytes[place] = 0xFF
      var check = UTF8Check()
      #expect(!take(bytes, &check), "\(place)")
    }
  }

  @Test func `a text may not end inside a character`() {
    var check = UTF8Check()
    #expect(take([0x61, 0xE2, 0x82], &check))
    #expect(!check.isComplete)
    #expect(take([0xAC], &check))
    #expect(check.isComplete)
  }

  private func take(_ bytes: [UInt8], _ check: inout UTF8Check) -> Bool {
    bytes.withUnsafeBufferPointer { check.take($0) }
  }
}
