"use strict";

const assert = require("node:assert");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const { setTimeout: pause } = require("node:timers/promises");
const { after, test } = require("node:test");
const rehearse = require(process.env.REHEARSE_NODE_PACKAGE);
const { Folder } = require("./folder.js");

const table = `scenario: Doubles
tags: [fast]
cases:
  - { id: two, given: 2, wanted: 4 }
  - { id: three, given: 3, wanted: 7 }
steps:
  - check: given * 2 == wanted
---
scenario: Holds
steps:
  - check: 1 == 1
---
scenario: Is left out
skip: later
steps:
  - check: 1 == 2
`;
const cases = `
const { describeScenarios } = require("rehearse");
describeScenarios("scenarios");
`;

function folder(files) {
  const made = new Folder({ "scenarios/table.scenario.yaml": table, "cases.test.js": cases, ...files });
  after(() => made.remove());
  return made;
}

const counts = ({ output }) =>
  Object.fromEntries([...output.matchAll(/^# (pass|fail|skipped|tests) (\d+)$/gm)].map((m) => [m[1], +m[2]]));
const tap = ["--test", "--test-reporter=tap"];

test("each scenario and each row is a case", async () => {
  const here = folder();
  const result = await here.run(tap);
  assert.deepEqual(counts(result), { tests: 4, pass: 2, fail: 1, skipped: 1 }, result.output);
  assert.match(result.output, /not ok 2 - Doubles \[three\]/);
  assert.equal(result.code, 1);
  const shown = (() => {
    try {
      return execFileSync(rehearse.program(), ["run", "scenarios"], { cwd: here.path, encoding: "utf8" });
    } catch (error) {
      return error.stdout;
    }
  })();
  const lines = shown.split("\n").filter((line) => line.includes(" | ") || line.startsWith("error["));
  assert.ok(lines.length > 3, shown);
  for (const line of lines) assert.ok(result.output.includes(line), `${line}\n${result.output}`);
});

test("a filter of the test runner chooses what runs", async () => {
  const here = folder({
    "program.sh": `#!/bin/sh\necho "$@" >>calls\nexec ${rehearse.program()} "$@"\n`,
  });
  execFileSync("chmod", ["+x", here.file("program.sh")]);
  const result = await here.run([...tap, "--test-name-pattern=Holds"], {
    REHEARSE_PROGRAM: here.file("program.sh"),
  });
  assert.match(result.output, /ok \d+ - Holds/);
  assert.doesNotMatch(result.output, /not ok/);
  const calls = execFileSync("cat", [here.file("calls")], { encoding: "utf8" }).split("\n");
  assert.deepEqual(calls.slice(1), [
    "run scenarios/table.scenario.yaml::Holds --format ndjson", ""]);
});

test("tags choose what runs", async () => {
  const here = folder({ "cases.test.js": cases.replace(`"scenarios"`, `"scenarios", { tags: "!fast" }`) });
  assert.deepEqual(counts(await here.run(tap)), { tests: 2, pass: 1, fail: 0, skipped: 1 });
});

test("a broken file is one failing case with its diagnostics", async () => {
  const here = folder({ "scenarios/no.scenario.yaml": "- 1\n" });
  const result = await here.run(tap);
  assert.deepEqual(counts(result), { tests: 5, pass: 2, fail: 2, skipped: 1 }, result.output);
  assert.match(result.output, /--> scenarios\/no\.scenario\.yaml:1:1/);
  const nowhere = folder({ "cases.test.js": cases.replace("scenarios", "nowhere") });
  assert.match((await nowhere.run(tap)).output, /not ok 1 - cannot be read[^]*nowhere/);
});

test("a program that does not start says why", async () => {
  // The head of a program for ARM.
  const here = folder({ program: `\x7fELF\x02\x01\x01${"\0".repeat(11)}\xb7\0`.padEnd(64, "\0") });
  const run = (program) => here.run(tap, { REHEARSE_PROGRAM: here.file(program) });
  assert.match((await run("none")).output, /there is no such file/);
  assert.match((await run("program")).output, /it may not be executed/);
  fs.writeFileSync(here.file("program"), fs.readFileSync(here.file("program"), "utf8"), "latin1");
  execFileSync("chmod", ["+x", here.file("program")]);
  assert.match((await run("program")).output, /no program for this machine, which is linux/);
});

test("the functions of other test runners are used, and never those of node:test by mistake", async () => {
  const here = folder({
    "globals.js": `
      const names = [];
      globalThis.describe = (name, body) => body();
      globalThis.it = (name, body) => {
        if (body.length > 0) throw new Error("Jest would wait for a callback");
        names.push([name, body()]);
      };
      require("./cases.test.js");
      Promise.allSettled(names.map(([, result]) => result)).then((all) =>
        console.log(all.map(({ status }, n) => names[n][0] + ": " + status).join(", ")));
    `,
  });
  const { output } = await here.run(["globals.js"]);
  assert.match(output, /^Doubles \[two\]: fulfilled, Doubles \[three\]: rejected, Holds: fulfilled/m);
  assert.match(output, /^skipped: Is left out: later$/m);
  for (const name of ["VITEST", "JEST_WORKER_ID"]) {
    const { output, code } = await here.run(["cases.test.js"], { [name]: "1" });
    assert.match(output, /give describeScenarios the functions of your test runner/);
    assert.notEqual(code, 0);
  }
});

test("no process is left when the test runner is ended", async () => {
  const here = folder({
    "scenarios/long.scenario.yaml":
      `scenario: Long\nprograms:\n  client: { run: [sleep, "60"] }\nsteps:\n  - wait: 50s\n`,
    "cases.test.js": cases.replace("scenarios", "scenarios/long.scenario.yaml"),
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"]) {
    const child = here.start(["cases.test.js"]);
    for (let n = 0; n < 500 && here.processes().length < 4; n++) await pause(20);
    assert.ok(here.processes().length >= 4);
    child.kill(signal);
    for (let n = 0; n < 250 && here.processes().length; n++) await pause(20);
    assert.deepEqual(here.processes(), [], signal);
  }
});
