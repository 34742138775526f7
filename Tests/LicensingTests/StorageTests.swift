import Glibc
import Licensing
import Testing

/// A folder that is removed with its files.
private final class ScratchFolder {
  let path: String

  init() {
    var template = Array("/tmp/licensing-XXXXXX\0".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? ""
  }

  deinit {
    for name in ["license", "license.new", "link"] { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}

private func mode(_ path: String) -> mode_t {
  var status = stat()
  return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
}

@Suite struct FileStorageTests {
  private let folder = ScratchFolder()
  private var path: String { "\(folder.path)/license" }

  @Test func `only the owner can read the file`() throws {
    let before = umask(0)
    defer { umask(before) }
    let storage = FileLicenseStorage(path: path)
    #expect(try storage.load() == nil)
    try storage.save([1, 2, 3])
    #expect(mode(path) == 0o600)
    try storage.save([4])
    #expect(try storage.load() == [4] && mode(path) == 0o600)
    #expect(access("\(path).new", F_OK) != 0)
  }

  @Test func `a file that others could read gets its mode with the next save`() throws {
    let storage = FileLicenseStorage(path: path)
    for name in [path, "\(path).new"] {
      close(open(name, O_CREAT | O_WRONLY, 0o644))
      chmod(name, 0o644)
    }
    try storage.save([1])
    #expect(try storage.load() == [1] && mode(path) == 0o600)
  }

  @Test func `a folder that is missing, and a link, are errors`() {
    #expect(throws: LicenseStorageError.self) {
      try FileLicenseStorage(path: "\(folder.path)/none/license").save([1])
    }
    symlink("/etc/hostname", "\(folder.path)/link")
    #expect(throws: LicenseStorageError.self) {
      _ = try FileLicenseStorage(path: "\(folder.path)/link").load()
    }
  }
}

@MainActor
@Suite struct StorageTests {
  @Test func `the next run of the program knows the license at once, and checks it`() async {
    let first = LicenseLab()
    await first.activate()
    let second = LicenseLab(after: first)
    #expect(second.seat.status.kind == "active" && second.names.isEmpty)
    second.wait(.zero)
    #expect(
      Array(second.names.prefix(6)) == [
        "license:loaded", "offlineToken:verified", "validation:offline-success",
        "autovalidation:stopped", "autovalidation:cycle", "validation:start",
      ])
    #expect(second.statuses.map(\.kind) == ["active", "offlineValid", "active"])
  }

  @Test func `without an interval nothing is validated at the begin`() async {
    let first = LicenseLab()
    await first.activate()
    first.server.forgetRequests()
    let second = LicenseLab(after: first) { $0.autoValidateInterval = .zero }
    second.wait(.seconds(1))
    #expect(second.server.operations == ["offline-token"])
    #expect(second.seat.status.kind == "offlineValid")
  }

  @Test func `a server that does not authorise at the begin leaves the grant in force`() async {
    let first = LicenseLab()
    await first.activate()
    first.server.answers["validate"] = ScriptedAnswer(status: 401)
    let second = LicenseLab(after: first)
    second.wait(.zero)
    #expect(second.names("validation:").last == "validation:auth-failed")
    let last = second.events.last { $0.kind == .validationAuthFailed }
    #expect(last?.dictionary?["cached"] as? Bool == true)
    #expect(second.seat.status.kind == "offlineValid")
  }

  @Test(arguments: [
    "", "{", "null", #"{"version":2}"#, #"{"version":1,"version":1}"#,
    #"{"version":1,"activation":{"key":"K"}}"#, String(repeating: "[", count: 5_000),
  ])
  func `a damaged store is reported and treated as empty`(_ text: String) async {
    let lab = LicenseLab(storage: MemoryLicenseStorage(Array(text.utf8)))
    #expect(lab.seat.status.kind == "inactive")
    lab.wait(.zero)
    #expect(lab.names == ["sdk:error"])
    #expect(await lab.activate())
    #expect(LicenseLab(after: lab).seat.status.kind == "active")
  }

  @Test func `each shorter part of a store is damaged`() async {
    let lab = LicenseLab()
    await lab.activate()
    let bytes = lab.storage.load() ?? []
    for count in stride(from: 1, to: bytes.count, by: 7) {
      let cut = LicenseLab(storage: MemoryLicenseStorage(Array(bytes.prefix(count))))
      #expect(cut.seat.status.kind == "inactive")
    }
  }

  @Test func `a store that was copied to another device is of no use there`() async {
    let lab = LicenseLab()
    await lab.activate()
    let copied = LicenseLab(device: "device-0002", storage: lab.storage)
    copied.wait(.zero)
    #expect(copied.names == ["sdk:error"] && copied.seat.status.kind == "inactive")
    #expect(copied.server.requests.isEmpty)
  }

  @Test func `a store that cannot be written is reported, and the license works on`() async {
    let lab = LicenseLab()
    let seat = LicenseSeat(
      lab.seat.configuration,
      environment: LicenseEnvironment(
        transport: lab.server, storage: FileLicenseStorage(path: "/nonexistent/license"),
        fingerprint: FixedFingerprint("device-0001"), scheduler: lab.scheduler,
        now: { LicenseLab.start }))
    var messages: [String] = []
    let token = seat.eventPublisher(for: .error).sink {
      messages.append($0.dictionary?["message"] as? String ?? "")
    }
    let task = Task.immediate { try await seat.activate(licenseKey: "TEST-KEY") }
    lab.wait(.zero)
    #expect((try? await task.value) != nil && seat.status.kind == "active")
    #expect(messages.first?.contains("/nonexistent/license") == true)
    token.cancel()
  }
}
