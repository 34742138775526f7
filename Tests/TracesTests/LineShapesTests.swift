import Testing

@testable import Traces

/// A line keeps its kind and its source, however many sources there are.
@Suite struct LineShapesTests {
  private static let unlisted: UInt16 = 0xFFFE

  @Test(arguments: [3, 255, 256, 257, 1_000])
  func `each line keeps its kind and source, also beyond those that one byte numbers`(count: Int) {
    let all = (0..<count).map { LineShapes.Shape(kind: UInt8($0 % 3), source: UInt16($0)) }
    var shapes = LineShapes(unlistedSource: Self.unlisted)
    for shape in all + all.reversed() { shapes.append(shape) }
    #expect(shapes.count == 2 * count)
    #expect((0..<shapes.count).map { shapes[$0] } == all + all.reversed())
  }

  @Test func `beyond what two bytes number, a line keeps its kind and has an unlisted source`() {
    var shapes = LineShapes(unlistedSource: Self.unlisted)
    for index in 0..<140_000 {
      let source = UInt16(index % 65_000)
      shapes.append(LineShapes.Shape(kind: UInt8(index / 65_000), source: source))
    }
    #expect(shapes[64_999] == LineShapes.Shape(kind: 0, source: 64_999))
    #expect(shapes[139_999] == LineShapes.Shape(kind: 2, source: Self.unlisted))
    #expect((0..<shapes.count).allSatisfy { Int(shapes[$0].kind) == $0 / 65_000 })
  }
}
