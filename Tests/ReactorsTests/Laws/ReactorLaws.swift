extension ReactorLaw {
  static let all: [ReactorLaw] = overlaps + modes + lifecycles + orders + loads

  private static let overlaps: [ReactorLaw] = [
    ReactorLaw(
      "runs without an id do not touch each other",
      [LawAction("work", [.wait(50)])],
      [.send(at: 0, "work", run: "first"), .send(at: 20, "work", run: "second")],
      ["0 first began", "20 second began", "50 first ended", "70 second ended"]),
    ReactorLaw(
      "in flight, a new run replaces the one under way",
      [LawAction("search", .inFlight("x"), [.wait(50)])],
      [
        .send(at: 0, "search", run: "first"), .send(at: 20, "search", run: "second"),
        .send(at: 40, "search", run: "third"),
      ],
      [
        "0 first began", "20 second began", "40 third began", "90 third ended",
        "first was cancelled", "second was cancelled",
      ]),
    ReactorLaw(
      "in flight, a run that has ended is not cancelled",
      [LawAction("search", .inFlight("x"), [.wait(10)])],
      [.send(at: 0, "search", run: "first"), .send(at: 20, "search", run: "second")],
      ["0 first began", "10 first ended", "20 second began", "30 second ended"]),
    ReactorLaw(
      "actions of one id replace each other, actions of different ids do not",
      [
        LawAction("play", .inFlight("x"), [.wait(50)]),
        LawAction("pause", .inFlight("x"), [.wait(50)]),
        LawAction("save", .inFlight("y"), [.wait(50)]),
      ],
      [
        .send(at: 0, "play", run: "play"), .send(at: 5, "save", run: "save"),
        .send(at: 20, "pause", run: "pause"),
      ],
      [
        "0 play began", "5 save began", "20 pause began", "55 save ended", "70 pause ended",
        "play was cancelled",
      ]),
    ReactorLaw(
      "joining, a second run waits for the first and does not start",
      [LawAction("refresh", .join("x"), [.wait(50)])],
      [
        .send(at: 0, "refresh", run: "first"), .send(at: 20, "refresh", run: "second"),
        .send(at: 60, "refresh", run: "third"),
      ],
      [
        "0 first began", "50 first ended", "60 third began", "110 third ended",
        "second never began",
      ]),
    ReactorLaw(
      "joining and in flight share their ids",
      [
        LawAction("search", .inFlight("x"), [.wait(50)]),
        LawAction("refresh", .join("x"), [.wait(50)]),
      ],
      [
        .send(at: 0, "search", run: "first"), .send(at: 10, "refresh", run: "joined"),
        .send(at: 20, "search", run: "second"),
      ],
      [
        "0 first began", "20 second began", "70 second ended", "first was cancelled",
        "joined never began",
      ]),
    ReactorLaw(
      "a cancelled run writes nothing later, and what it wrote stays",
      [
        LawAction("write", .inFlight("x"), [.set, .wait(50), .note("wrote"), .set]),
        LawAction("stop", .inFlight("x"), []),
      ],
      [.send(at: 0, "write", run: "first"), .send(at: 20, "stop", run: "stop")],
      [
        "0 first began", "0 last = first", "20 stop began", "20 stop ended",
        "first was cancelled",
      ]),
    ReactorLaw(
      "a run that failed frees its id",
      [
        LawAction("broken", .join("x"), [.fail, .set]),
        LawAction("refresh", .join("x"), [.wait(10)]),
      ],
      [.send(at: 0, "broken", run: "first"), .send(at: 20, "refresh", run: "second")],
      ["0 first began", "0 first failed", "20 second began", "30 second ended"]),
  ]

  private static let modes: [ReactorLaw] = [
    ReactorLaw(
      "in flight, one id with the lifecycle and without it is two ids",
      [
        LawAction("search", .inFlight("x"), [.wait(50)]),
        LawAction("watch", .inFlight("x"), lifecycle: true, [.wait(50)]),
      ],
      [
        .send(at: 0, "search", run: "search"), .send(at: 10, "watch", run: "watch"),
        .send(at: 20, "search", run: "again"), .send(at: 30, "watch", run: "watching"),
      ],
      [
        "0 search began", "10 watch began", "20 again began", "30 watching began", "70 again ended",
        "80 watching ended", "search was cancelled", "watch was cancelled",
      ]),
    ReactorLaw(
      "joining, one id with the lifecycle and without it is two ids",
      [
        LawAction("refresh", .join("x"), [.wait(50)]),
        LawAction("watch", .join("x"), lifecycle: true, [.wait(50)]),
      ],
      [.send(at: 0, "refresh", run: "refresh"), .send(at: 10, "watch", run: "watch")],
      ["0 refresh began", "10 watch began", "50 refresh ended", "60 watch ended"]),
  ]

  private static let lifecycles: [ReactorLaw] = [
    ReactorLaw(
      "the end of the lifecycle ends only what belongs to it",
      [
        LawAction("watch", lifecycle: true, [.wait(50)]), LawAction("save", [.wait(50)]),
        LawAction("search", .inFlight("x"), [.wait(50)]),
      ],
      [
        .send(at: 0, "watch", run: "watch"), .send(at: 5, "save", run: "save"),
        .send(at: 10, "search", run: "search"), .endLifecycle(at: 20),
        .send(at: 30, "watch", run: "later"),
      ],
      [
        "0 watch began", "5 save began", "10 search began", "30 later began", "55 save ended",
        "60 search ended", "80 later ended", "watch was cancelled",
      ]),
    ReactorLaw(
      "a run in flight that belongs to the lifecycle is ended by either",
      [LawAction("watch", .inFlight("x"), lifecycle: true, [.wait(50)])],
      [
        .send(at: 0, "watch", run: "first"), .send(at: 20, "watch", run: "second"),
        .endLifecycle(at: 40), .send(at: 60, "watch", run: "third"),
      ],
      [
        "0 first began", "20 second began", "60 third began", "110 third ended",
        "first was cancelled", "second was cancelled",
      ]),
    ReactorLaw(
      "a run that the lifecycle ended frees its id",
      [LawAction("refresh", .join("x"), lifecycle: true, [.wait(50)])],
      [
        .send(at: 0, "refresh", run: "first"), .endLifecycle(at: 20),
        .send(at: 30, "refresh", run: "second"),
      ],
      ["0 first began", "30 second began", "80 second ended", "first was cancelled"]),
    ReactorLaw(
      "a run that ends its own lifecycle continues up to its next wait",
      [
        LawAction(
          "close", lifecycle: true, [.endLifecycle, .set, .note("closed"), .wait(10), .set])
      ],
      [.send(at: 0, "close", run: "close")],
      ["0 close began", "0 last = close", "0 close closed", "close was cancelled"]),
    ReactorLaw(
      "a run that ends its own lifecycle, and does not wait, comes to its end",
      [LawAction("close", lifecycle: true, [.endLifecycle, .set])],
      [.send(at: 0, "close", run: "close")],
      ["0 close began", "0 last = close", "0 close ended"]),
    ReactorLaw(
      "the end of a lifecycle in which nothing runs does nothing",
      [LawAction("save", [.wait(50)])],
      [.endLifecycle(at: 0), .send(at: 0, "save", run: "save"), .endLifecycle(at: 20)],
      ["0 save began", "50 save ended"]),
  ]

  private static let orders: [ReactorLaw] = [
    ReactorLaw(
      "runs begin in the order in which they were sent, after the step that sent them",
      [
        LawAction(
          "open",
          [
            .send("load", run: "a"), .send("save", run: "b"), .send("load", run: "c"),
            .note("sent"),
          ]),
        LawAction("load", [.wait(30)]), LawAction("save", .inFlight("x"), [.wait(10)]),
      ],
      [.send(at: 0, "open", run: "open")],
      [
        "0 open began", "0 open sent", "0 open ended", "0 a began", "0 b began", "0 c began",
        "10 b ended", "30 a ended", "30 c ended",
      ]),
    ReactorLaw(
      "a run that is sent to its own id replaces the run that sent it",
      [
        LawAction("first", .inFlight("x"), [.send("second", run: "b"), .note("sent"), .wait(10)]),
        LawAction("second", .inFlight("x"), [.wait(10)]),
      ],
      [.send(at: 0, "first", run: "a")],
      ["0 a began", "0 a sent", "0 b began", "10 b ended", "a was cancelled"]),
    ReactorLaw(
      "the end of the lifecycle ends what was sent before it, not what was sent after it",
      [
        LawAction(
          "restart", [.send("watch", run: "before"), .endLifecycle, .send("watch", run: "after")]),
        LawAction("watch", lifecycle: true, [.wait(50)]),
      ],
      [.send(at: 0, "restart", run: "restart")],
      [
        "0 restart began", "0 restart ended", "0 before began", "0 after began",
        "50 after ended", "before was cancelled",
      ]),
  ]

  private static let loads: [ReactorLaw] = [
    ReactorLaw(
      "a field is none, then loading, then loaded",
      [LawAction("load", [.load(after: 20)])],
      [.send(at: 10, "load", run: "first")],
      ["10 first began", "10 result = loading", "30 result = loaded first", "30 first ended"]),
    ReactorLaw(
      "a load that was superseded never wins",
      [
        LawAction("slow", .inFlight("x"), [.load(after: 50)]),
        LawAction("quick", .inFlight("x"), [.load(after: 10)]),
        LawAction("broken", .inFlight("x"), [.loadFailing(after: 50)]),
      ],
      [
        .send(at: 0, "slow", run: "first"), .send(at: 5, "broken", run: "second"),
        .send(at: 20, "quick", run: "third"),
      ],
      [
        "0 first began", "0 result = loading", "5 second began", "20 third began",
        "30 result = loaded third", "30 third ended", "first was cancelled",
        "second was cancelled",
      ]),
    ReactorLaw(
      "an error keeps its value until the field loads again",
      [
        LawAction("broken", [.loadFailing(after: 10), .wait(20), .note("waited")]),
        LawAction("load", [.load(after: 10)]),
      ],
      [.send(at: 0, "broken", run: "first"), .send(at: 50, "load", run: "second")],
      [
        "0 first began", "0 result = loading", "10 result = error 503", "30 first waited",
        "30 first ended", "50 second began", "50 result = loading", "60 result = loaded second",
        "60 second ended",
      ]),
    ReactorLaw(
      "a load whose run was cancelled leaves the field loading",
      [LawAction("load", lifecycle: true, [.load(after: 20)])],
      [.send(at: 0, "load", run: "first"), .endLifecycle(at: 10)],
      ["0 first began", "0 result = loading", "first was cancelled"]),
  ]
}
