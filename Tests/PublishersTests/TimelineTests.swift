import Publishers
import Testing

@Suite struct TimelineTests {
  @Test(arguments: timelines)
  func `a timeline plays again for each subscriber`(_ line: MarbleCase) {
    #expect(line.observed() == line.expected)
  }

  @Test func `what is due at once comes by the scheduler all the same`() {
    let (lab, log) = (Lab(), Log<String>())
    let recorder = Recorder<String, Oops>(note: log.add)
    lab.timeline([(0, .value("a"))]).receive(subscriber: recorder)
    #expect(log.entries == [])
    lab.scheduler.advance(to: 0)
    #expect(log.entries == ["a"])
  }

  @Test func `no job waits after cancelling or the end`() {
    let lab = Lab()
    let recorder = Recorder<String, Oops> { _ in }
    lab.timeline([(1, .value("a")), (2, .value("b")), (3, .value("c"))])
      .receive(subscriber: recorder)
    lab.scheduler.advance(to: 2000)
    #expect(lab.scheduler.count == 1)
    recorder.subscription?.cancel()
    #expect(lab.scheduler.count == 0)
    lab.timeline([(0, .finished), (5, .value("b"))]).receive(subscriber: Recorder { _ in })
    lab.scheduler.advance(to: 2000)
    #expect(lab.scheduler.count == 0)
  }

  @Test func `where two timelines meet the one subscribed to first comes first`() {
    let (lab, log) = (Lab(), Log<String>())
    let first = Recorder<String, Oops>(note: log.add)
    let second = Recorder<String, Oops>(note: log.add)
    lab.timeline([(1, .value("a")), (4, .value("b")), (5, .value("c"))])
      .receive(subscriber: first)
    lab.timeline([(1, .value("1")), (5, .value("2"))]).receive(subscriber: second)
    lab.scheduler.advance(to: 5000)
    #expect(log.entries == ["a", "1", "b", "c", "2"])
  }

  @Test func `who cancels in the middle of an instant gets no more of it`() {
    let (lab, log, leaving) = (Lab(), Log<String>(), Log<any Subscription>())
    let recorder = Recorder<String, Oops> {
      log.add($0)
      leaving.entries.first?.cancel()
    }
    lab.timeline([(1, .value("a")), (1, .value("b")), (1, .finished)])
      .receive(subscriber: recorder)
    recorder.subscription.map(leaving.add)
    lab.scheduler.advance(to: 5000)
    #expect(log.entries == ["a"])
  }

  @Test func `a run is freed when it is over`() {
    let lab = Lab()
    weak var kept: Recorder<String, Oops>?
    do {
      let recorder = Recorder<String, Oops> { _ in }
      kept = recorder
      lab.timeline([(1, .value("a")), (9, .finished)]).receive(subscriber: recorder)
      lab.scheduler.advance(to: 1000)
      recorder.subscription?.cancel()
      recorder.forget()
    }
    #expect(kept == nil)
  }
}

extension Lab {
  /// Returns a timeline with its moments in milliseconds.
  fileprivate func timeline(
    _ moments: [(Int64, TimelineEvent<String, Oops>)]
  ) -> TimelinePublisher<String, Oops, VirtualScheduler> {
    TimelinePublisher(moments: moments.map { ($0.0 * 1000, $0.1) }, scheduler: scheduler)
  }
}

private let timelines = [
  MarbleCase("values and the end", "0:a 2:b 5:|") {
    $0.timeline([(0, .value("a")), (2, .value("b")), (5, .finished)])
  },
  MarbleCase("a failure", "1:a 3:#") { $0.timeline([(1, .value("a")), (3, .failure(Oops()))]) },
  MarbleCase("nothing after the end", "1:|") { $0.timeline([(1, .finished), (2, .value("a"))]) },
  MarbleCase("no end", "1:a") { $0.timeline([(1, .value("a"))]) },
  MarbleCase("nothing at all", "") { $0.timeline([]) },
  MarbleCase("what comes in one instant stays together", "1:a 1:b 1:x 1:y") {
    $0.timeline([(1, .value("a")), (1, .value("b"))])
      .merge(with: $0.timeline([(1, .value("x")), (1, .value("y"))]))
  },
  MarbleCase("what is not asked for waits, and the end behind it", "0:a", demand: .max(1)) {
    $0.timeline([(0, .value("a")), (2, .value("b")), (2, .finished)])
  },
  MarbleCase("a failure does not wait", "0:a 3:#", demand: .max(1)) {
    $0.timeline([(0, .value("a")), (2, .value("b")), (3, .failure(Oops()))])
  },
  MarbleCase("what waits comes when it is asked for", "1:aa 3:aa 4:bb 6:bb 6:|") { lab in
    lab.timeline([(0, .value("a")), (0, .value("b")), (1, .finished)])
      .flatMap(maxPublishers: .max(1)) { value in
        lab.timeline([
          (1, .value(value + value)), (3, .value(value + value)), (3, .finished),
        ])
      }
  },
  MarbleCase("it begins anew after its end", "1:a 2:a 2:|") {
    let timeline = $0.timeline([(1, .value("a")), (1, .finished)])
    return timeline.append(timeline)
  },
  MarbleCase("it begins anew after its failure", "1:a 3:a 4:#") {
    $0.timeline([(1, .value("a")), (2, .failure(Oops()))]).retry(1)
  },
  MarbleCase("moments in disorder come as soon as they can", "2:a 2:b 3:|") {
    $0.timeline([(2, .value("a")), (1, .value("b")), (3, .finished)])
  },
]
