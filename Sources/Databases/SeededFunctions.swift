import CSQLite

extension WorldFileSystem {
  /// Replaces `random()` and `randomblob()` by functions with the scenario's seed, in schemas too.
  func replaceFunctions(of handle: OpaquePointer) -> Int32 {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS
    let first = sqlite3_create_function_v2(
      handle, "random", 0, flags, context,
      { context, _, _ in
        guard let fileSystem = WorldFileSystem.of(context) else { return }
        sqlite3_result_int64(context, Int64(bitPattern: fileSystem.nextNumber()))
      }, nil, nil, nil)
    guard first == SQLITE_OK else { return first }
    return sqlite3_create_function_v2(
      handle, "randomblob", 1, flags, context,
      { context, _, arguments in
        guard let fileSystem = WorldFileSystem.of(context), let arguments else { return }
        fileSystem.giveBlob(context, count: sqlite3_value_int64(arguments[0]))
      }, nil, nil, nil)
  }

  private static func of(_ context: OpaquePointer?) -> WorldFileSystem? {
    sqlite3_user_data(context).map {
      Unmanaged<WorldFileSystem>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Returns a random blob of at least one byte, as SQLite does.
  private func giveBlob(_ context: OpaquePointer?, count: Int64) {
    guard count <= DatabaseLimits.valueBytes else { return sqlite3_result_error_toobig(context) }
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(max(1, count)), alignment: 1)
    defer { bytes.deallocate() }
    fill(bytes)
    csqlite_result_blob(context, bytes.baseAddress, UInt64(bytes.count))
  }
}
