import Glibc
import Publishers
import RealSchedulers

/// The parts of the world that a license client uses. Each part can be replaced by a test.
public struct LicenseEnvironment {
  /// The way of requests to the server.
  public var transport: any LicenseTransport
  /// The place where the license is kept.
  public var storage: any LicenseStorage
  /// The text that distinguishes this device from others.
  public var fingerprint: any DeviceFingerprint
  /// The queue of all that happens later, such as the next validation. Its jobs run on the main
  /// actor.
  public var scheduler: any PublisherScheduler
  /// The calendar of this device.
  public var now: () -> LicenseDate

  /// Makes an environment. Without a storage, the license is forgotten when the program ends.
  public init(
    transport: any LicenseTransport = SocketLicenseTransport(),
    storage: any LicenseStorage = MemoryLicenseStorage(),
    fingerprint: any DeviceFingerprint = MachineFingerprint(),
    scheduler: any PublisherScheduler = .mainActor,
    now: @escaping () -> LicenseDate = LicenseEnvironment.calendar
  ) {
    self.transport = transport
    self.storage = storage
    self.fingerprint = fingerprint
    self.scheduler = scheduler
    self.now = now
  }

  /// Returns the time of the machine's calendar.
  public static func calendar() -> LicenseDate {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return LicenseDate(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
  }
}
