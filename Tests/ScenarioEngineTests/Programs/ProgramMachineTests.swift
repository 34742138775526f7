import Events
import Testing
import World

@testable import ScenarioEngine

/// The life of a program, without any process.
@Suite struct ProgramMachineTests {
  @Test func `a program without an end of its last line loses nothing`() {
    var machine = ProgramMachine(awaitsSign: false)
    #expect(
      machine.on(.received(.output, Array("one\ntwo".utf8))) == [.take(.output, bytes("one"))])
    _ = machine.on(.exited(.code(0)))
    #expect(machine.on(.ended(.output)) == [.take(.output, bytes("two"))])
    #expect(machine.on(.ended(.errors)) == [.cancel(.output), .finish(.code(0))])
  }

  @Test func `the end is reported after the output, whichever is seen first`() {
    var machine = ProgramMachine(awaitsSign: false)
    _ = machine.on(.ended(.output))
    _ = machine.on(.ended(.errors))
    #expect(machine.on(.exited(.code(3))).last == .finish(.code(3)))
  }

  @Test func `a process that holds the pipe open is killed, and ends nothing for ever`() {
    var machine = ProgramMachine(awaitsSign: false)
    #expect(machine.on(.exited(.code(0))).contains(.set(.output)))
    #expect(machine.on(.timedOut(.output)) == [.killAll, .set(.output)])
    #expect(machine.on(.timedOut(.output)) == [.cancel(.output), .finish(.code(0))])
    #expect(machine.isOver)
  }

  @Test func `a program that ignores the signal is killed`() {
    var machine = ProgramMachine(awaitsSign: false)
    #expect(
      machine.on(.stopRequested) == [.cancel(.ready), .askToStop, .set(.input), .set(.stop)])
    #expect(machine.on(.stopRequested) == [])
    #expect(machine.on(.timedOut(.input)) == [.closeInput])
    #expect(machine.on(.timedOut(.stop)) == [.killAll])
  }

  @Test func `a program that has ended keeps its input open for nobody`() {
    var machine = ProgramMachine(awaitsSign: false)
    _ = machine.on(.stopRequested)
    #expect(machine.on(.exited(.code(0))).contains(.cancel(.input)))
    #expect(machine.on(.timedOut(.input)) == [])
  }

  @Test func `a program that ends before it is ready is a problem`() {
    var machine = ProgramMachine(awaitsSign: true)
    #expect(machine.on(.exited(.code(1))).contains(.fail(.exitedBeforeReady(.code(1)))))
  }

  @Test func `a program that was stopped before it is ready is none`() {
    var machine = ProgramMachine(awaitsSign: true)
    _ = machine.on(.stopRequested)
    #expect(
      !machine.on(.exited(.signal("TERM"))).contains(.fail(.exitedBeforeReady(.signal("TERM")))))
    #expect(machine.on(.timedOut(.ready)) == [])
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}

@Suite struct LineSplitterTests {
  @Test func `lines are the same however their bytes arrive`() {
    let text = Array("one\r\n\ntwo\nthree".utf8)
    let whole: [LineSplitter.Piece] = ["one", "", "two", "three"].map { .line(Array($0.utf8)) }
    for size in 1...text.count {
      var splitter = LineSplitter(atMost: 100)
      var pieces: [LineSplitter.Piece] = []
      for start in stride(from: 0, to: text.count, by: size) {
        pieces += splitter.take(Array(text[start..<min(start + size, text.count)]))
      }
      #expect(pieces + splitter.finish() == whole)
    }
  }

  @Test func `a line that is too long is dropped, and the next one is not`() {
    var splitter = LineSplitter(atMost: 3)
    #expect(splitter.take(Array("long".utf8)) == [.tooLong])
    #expect(splitter.take(Array("er\nabc\n".utf8)) == [.line(Array("abc".utf8))])
    #expect(splitter.take(Array("abcd\n".utf8)) == [.tooLong])
    #expect(splitter.finish() == [])
  }
}
