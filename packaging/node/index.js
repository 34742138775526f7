"use strict";
// Mocks of Rehearsal scenarios in tests, and scenarios as cases of node:test, Vitest and Jest.

const { spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");
const { fileURLToPath } = require("node:url");

/** The program is not installed, or does not run on this machine. */
class ProgramMissing extends Error {}
/** The scenario of a mock, or of a case, did not hold. The message is what the terminal shows. */
class ScenarioFailed extends Error {
  constructor(text) {
    super(text);
    this.name = "ScenarioFailed";
    this.stack = text;
  }
}
/** A command that a mock did not carry out. The message says why. */
class Refused extends Error {}

/** The path of the program: $REHEARSE_PROGRAM, or the one of this package. */
function program() {
  return process.env.REHEARSE_PROGRAM || path.join(__dirname, "bin", "rehearse");
}

function reason(error) {
  const file = program();
  const isThere = fs.existsSync(file);
  let [why, help] = [error.message, "see above"];
  if (error.code === "ENOENT" && isThere) {
    why = "the loader that it names is not there, so this system has no glibc";
    help = "use a system with glibc, such as Debian; musl (Alpine) is none";
  } else if (error.code === "ENOENT") {
    why = "there is no such file";
    help = "install the package `rehearse`, or set REHEARSE_PROGRAM to the path of the program";
  } else if (error.code === "ENOEXEC") {
    why = `it is no program for this machine, which is ${process.platform} ${process.arch}`;
    help = "the package has the program for Linux x86-64; run the tests in a container there";
  } else if (error.code === "EACCES") {
    [why, help] = ["it may not be executed", `chmod +x ${file}`];
  }
  return new ProgramMissing(`\`${file}\` cannot be started: ${why}\n  = help  ${help}`);
}

/** A program of another machine is given to a shell, which complains about its bytes. */
function isForeign() {
  const head = Buffer.alloc(20);
  const file = fs.openSync(program());
  fs.readSync(file, head, 0, head.length, 0);
  fs.closeSync(file);
  const machine = { x64: 62, arm64: 183 }[process.arch];
  const isELF = head.subarray(1, 4).toString() === "ELF";
  return isELF && (process.platform !== "linux" || head.readUInt16LE(18) !== machine);
}

/** What the program complained about; one that wrote nothing else may not have started. */
function complaint(text, hasWritten) {
  return !hasWritten && isForeign() ? reason({ code: "ENOEXEC" }).message : text.trimEnd();
}

/** The test runner reports, not the program, which ends with it. */
function surroundings() {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY, ...rest } = process.env;
  return { ...rest, REHEARSE_ENDS_WITH_PARENT: "1" };
}

const place = (file) => (file instanceof URL ? fileURLToPath(file) : file);

/** The program at work. It keeps this process alive only while somebody waits for it. */
class Program {
  /** Calls `receive` with each line that the program writes, read as JSON. */
  constructor(words, cwd, receive) {
    const child = spawn(program(), words, { cwd, env: surroundings() });
    this.child = child;
    this.waiting = 0;
    let complaints = "";
    child.stderr.on("data", (text) => (complaints += text));
    child.stdin.on("error", () => {});
    const lines = readline.createInterface({ input: child.stdout });
    let hasWritten = false;
    lines.on("line", (line) => {
      hasWritten = true;
      receive(JSON.parse(line));
    });
    const kill = () => child.kill();
    process.once("exit", kill);
    this.ended = new Promise((resolve, reject) => {
      child.on("error", (error) => reject(reason(error)));
      child.on("close", () => resolve(complaint(complaints, hasWritten)));
    }).finally(() => process.removeListener("exit", kill));
    this.ended.catch(() => {});
    this.hold(false);
  }

  hold(isWaiting) {
    const { child } = this;
    for (const part of [child, child.stdin, child.stdout, child.stderr]) {
      if (isWaiting) part?.ref?.();
      else part?.unref?.();
    }
  }

  /** Returns what a promise gives, and keeps this process alive until then. */
  async wait(promise) {
    if (this.waiting++ === 0) this.hold(true);
    try {
      return await promise;
    } finally {
      if (--this.waiting === 0) this.hold(false);
    }
  }
}

/** A scenario that is served. Its endpoints are properties: `mock.feed.url`. */
class Mock {
  constructor(words, { cwd, within } = {}) {
    this.endpoints = {};
    this.events = [];
    this.verdict = undefined;
    this.within = within;
    this.answers = new Map();
    this.waiting = new Set();
    this.number = 0;
    this.isOver = false;
    this.program = new Program(words, cwd, (message) => this.receive(message));
    this.ended = this.program.ended.finally(() => {
      this.isOver = true;
      this.look();
    });
    this.ended.catch(() => {});
  }

  receive(message) {
    // That a machine is slow is nothing that has happened between client and mock.
    if (message.type === "event" && message.kind !== "log") this.events.push(message);
    if (message.type === "verdict") this.verdict = message;
    if (message.type === "answer") this.answers.set(message.to, message.failure);
    if (message.type === "ready") {
      this.isReady = true;
      for (const [name, place] of Object.entries(message.endpoints)) {
        const send = (value, options) => this.send(name, value, options);
        this.endpoints[name] = { name, ...place, send };
        if (!(name in this)) this[name] = this.endpoints[name];
      }
    }
    this.look();
  }

  look() {
    for (const waiter of [...this.waiting]) waiter();
  }

  /** Waits until the condition gives something, or the program has ended. */
  until(condition, milliseconds) {
    return this.program.wait(new Promise((resolve) => {
      let timer;
      const look = () => {
        const found = condition();
        if (!found && !this.isOver) return;
        end(found);
      };
      const end = (found) => {
        clearTimeout(timer);
        this.waiting.delete(look);
        resolve(found);
      };
      if (milliseconds !== undefined) timer = setTimeout(() => end(condition()), milliseconds);
      this.waiting.add(look);
      look();
    }));
  }

  async begin() {
    await this.until(() => this.isReady || this.verdict, 60_000);
    if (this.isReady) return this;
    this.program.child.stdin.end();
    throw new ScenarioFailed(await this.text());
  }

  /** Returns the first event that the condition holds for; waits until there is one. */
  async waitFor(condition, milliseconds = 5_000) {
    const event = await this.until(() => this.events.find(condition), milliseconds);
    if (event) return event;
    throw new ScenarioFailed(`no such event came within ${milliseconds}ms`);
  }

  /**
   * Makes an endpoint act on its open connections, or on those that come within `wait` milliseconds.
   * `value` is an event of a stream or a message of a WebSocket. In its place, one of the options
   * `event`, `message`, `bytes`, `close`, `pings` and `act` says what to do.
   */
  async send(endpoint, value, { wait = 1_000, to, ...act } = {}) {
    const isMessage = `${this.endpoints[endpoint]?.streams}` === "websocket";
    const what = Object.keys(act).length ? act : { [isMessage ? "message" : "event"]: value };
    const command = { type: "send", endpoint, to, ...what };
    const end = Date.now() + wait;
    for (;;) {
      try {
        return await this.ask(command);
      } catch (refusal) {
        const isEarly = refusal.message.includes("no such connection open");
        if (!isEarly || Date.now() >= end) throw refusal;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Lets something go wrong, as `rehearse sweep` names it. */
  disturb(name) {
    return this.ask({ type: "disturb", name });
  }

  async ask(command) {
    const id = ++this.number;
    this.program.child.stdin.write(JSON.stringify({ ...command, id }) + "\n");
    await this.until(() => this.answers.has(id), 10_000);
    if (!this.answers.has(id)) throw new Refused(`no answer:\n${await this.text()}`);
    const failure = this.answers.get(id);
    this.answers.delete(id);
    if (failure) throw new Refused(failure.text);
  }

  /** Ends serving, and throws ScenarioFailed if the scenario did not hold. */
  async judge() {
    if (!this.isOver) {
      this.program.child.stdin.end(JSON.stringify({ type: "stop", within: this.within }) + "\n");
    }
    const text = await this.text();
    if (this.verdict?.outcome !== "passed") throw new ScenarioFailed(text);
  }

  async text() {
    const timer = this.within ? undefined : setTimeout(() => this.program.child.kill("SIGKILL"), 60_000);
    const complaints = await this.program.wait(this.ended).finally(() => clearTimeout(timer));
    return this.verdict?.text.trimEnd() || complaints || "the mock has ended without a verdict";
  }
}

if (Symbol.asyncDispose) {
  Mock.prototype[Symbol.asyncDispose] = Mock.prototype.judge;
}

/**
 * Serves a scenario. With a body, it is served while the body runs, and judged at its end; without
 * one, `await mock.judge()` ends it.
 */
async function serve(file, options = {}, body = undefined) {
  if (typeof options === "function") return serve(file, {}, options);
  const words = ["serve", "--json", place(file)];
  for (const [name, value] of Object.entries(options.variables ?? {})) {
    words.push(`--var=${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  }
  for (const name of [options.disturb ?? []].flat()) words.push("--disturb", name);
  words.push(...(options.options ?? []));
  const mock = await new Mock(words, options).begin();
  if (!body) return mock;
  let result;
  try {
    result = await body(mock);
  } catch (error) {
    const failure = await mock.judge().catch((failure) => failure);
    if (failure && error instanceof Error) {
      // A stack has the message already, as it was then.
      error.stack = `${error.stack}\n\nThe mock says:\n${failure.message}`;
      error.message += `\n\nThe mock says:\n${failure.message}`;
    }
    throw error;
  }
  await mock.judge();
  return result;
}

/** The scenarios and rows of files and folders, and the files that do not load. */
function list(paths, { cwd, options = [] } = {}) {
  const listed = spawnSync(program(), ["list", ...paths, "--format", "ndjson", ...options], {
    cwd, env: surroundings(), encoding: "utf8", maxBuffer: 1 << 30,
  });
  if (listed.error) throw reason(listed.error);
  const lines = listed.stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const broken = new Set(lines.filter((line) => line.errors).map((line) => line.path));
  const entries = lines.filter((line) => line.id || !broken.has(line.path));
  if (entries.length) return entries;
  return [{ path: paths.join(" "), diagnostics: [{ text: complaint(listed.stderr, false) }] }];
}

/**
 * Makes each scenario and each row a case of the test runner. One process runs them all.
 *
 * `describe` and `it` are those of the test runner: its globals, else those of node:test.
 * `options` are more options of `rehearse run`; `tags` chooses scenarios, as in `["!slow"]`.
 */
function describeScenarios(paths, settings = {}) {
  const { describe, it } = runner(settings);
  const { cwd } = settings;
  const tags = [settings.tags ?? []].flat().map((tag) => `--tag=${tag}`);
  const all = [paths].flat().map(place);
  const entries = list(all, { cwd, options: tags });
  const options = [...tags, ...(settings.options ?? [])];
  const together = new Run([...all, ...options], cwd);
  const ids = counts(entries.map((entry) => entry.id));
  const run = (entry) =>
    isFiltered ? new Run([selector(entry, ids.get(entry.id)), ...options], cwd) : together;
  for (const file of new Set(entries.map((entry) => entry.path ?? ""))) {
    describe(file, () => {
      for (const entry of entries) {
        if ((entry.path ?? "") !== file) continue;
        if (!entry.id) {
          it("cannot be read", () => {
            throw new ScenarioFailed(texts(entry.diagnostics));
          });
        } else if (entry.skip !== undefined && it.skip) {
          it.skip(name(entry), () => {});
        } else {
          // Jest waits for a callback if the function has a parameter.
          it(name(entry), function () {
            return run(entry).judge(entry, arguments[0]);
          });
        }
      }
    });
  }
}

/** With a filter of node:test, each case runs alone, since nobody says which of them are chosen. */
const isFiltered = process.execArgv.some((option) =>
  /^--test-(name-pattern|skip-pattern|only)/.test(option));

function runner({ describe, it, test }) {
  const own = it ?? test;
  if (describe && own) return { describe, it: own };
  const { describe: group, it: one } = globalThis;
  if (group && one) return { describe: group, it: one };
  if (process.env.VITEST || process.env.JEST_WORKER_ID) {
    throw new Error("give describeScenarios the functions of your test runner: { describe, it }");
  }
  return require("node:test");
}

function counts(values) {
  const found = new Map();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return found;
}

/** What selects a scenario alone: a title may be that of others, or have `::` itself. */
function selector({ id, path, line, title }, count) {
  return count === 1 && !title.includes("::") ? id : `${path}:${line}`;
}

const name = (entry) => (entry.row === undefined ? entry.title : `${entry.title} [${entry.row}]`);
const texts = (diagnostics) => diagnostics.map((part) => part.text).join("\n\n");
const key = ({ id, line }) => `${line} ${id}`;

/** The process that runs scenarios; it starts with the first case that wants a result. */
class Run {
  constructor(words, cwd) {
    this.words = words;
    this.cwd = cwd;
    this.results = new Map();
    this.problems = new Map();
    this.waiting = new Map();
  }

  begin() {
    const words = ["run", ...this.words, "--format", "ndjson"];
    this.program = new Program(words, this.cwd, (event) => this.receive(event));
    this.program.child.stdin.end();
  }

  receive(event) {
    if (event.event === "file") {
      this.problems.set(event.path, event.diagnostics.filter((part) => part.severity === "error"));
    }
    if (event.event === "ended") this.isComplete = true;
    if (event.event !== "scenario") return;
    this.results.set(key(event), event);
    this.waiting.get(key(event))?.();
  }

  async judge(entry, context) {
    if (!this.program) this.begin();
    if (!this.results.has(key(entry))) {
      const result = new Promise((resolve) => this.waiting.set(key(entry), resolve));
      await this.program.wait(Promise.race([result, this.program.ended]));
    }
    const result = this.results.get(key(entry));
    if (!result) throw new ScenarioFailed(await this.reason(entry));
    if (result.outcome === "skipped") {
      const why = result.reason || "the scenario says so";
      return context?.skip ? context.skip(why) : console.warn(`skipped: ${name(entry)}: ${why}`);
    }
    // A flaky scenario held in the end, as `--retries` in the options allowed.
    if (!["passed", "flaky"].includes(result.outcome)) {
      throw new ScenarioFailed(texts(result.failures));
    }
  }

  async reason(entry) {
    const complaints = await this.program.wait(this.program.ended);
    const own = entry.errors ? texts(this.problems.get(entry.path) ?? []) : "";
    return own || (this.isComplete ? "the options left this scenario out" : complaints);
  }
}

exports.serve = serve;
exports.describeScenarios = describeScenarios;
exports.program = program;
exports.ProgramMissing = ProgramMissing;
exports.ScenarioFailed = ScenarioFailed;
exports.Refused = Refused;
