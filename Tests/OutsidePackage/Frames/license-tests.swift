import Licensing
import SwiftUI

struct XCTestExpectation {
  init(description: String) {}
  func fulfill() {}
}
func wait(for expectations: [XCTestExpectation], timeout: Double) {}
// swift-format-ignore: AlwaysUseLowerCamelCase
func XCTAssertTrue(_ condition: Bool) {}
let sdk = LicenseSeat()
let testDetails = LicenseStatusDetails(
  license: "KEY", device: "device-0001", activatedAt: LicenseDate(seconds: 0),
  lastValidated: LicenseDate(seconds: 0))
// BLOCK
