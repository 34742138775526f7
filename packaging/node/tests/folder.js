"use strict";
// Folders in which node:test runs files with cases.

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const feed = `scenario: Prices
endpoints:
  feed:
    resumable: true
    sse:
      - accept: { path: /prices }
        script:
          - event: { id: "1", data: { price: 41 } }
          - event: { id: "2", data: { price: 42 } }
          - wait: forever
`;

/** A client that returns after a loss, and says where it was. */
async function readPrices(url, count = 2) {
  const prices = [];
  let last;
  while (prices.length < count) {
    try {
      const answer = await fetch(`${url}/prices`, { headers: last ? { "Last-Event-ID": last } : {} });
      let rest = "";
      for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
        const events = (rest + part).split("\n\n");
        rest = events.pop();
        for (const event of events) {
          prices.push(JSON.parse(/^data: ?(.*)$/m.exec(event)[1]).price);
          last = /^id: ?(.*)$/m.exec(event)[1];
        }
        if (prices.length >= count) return prices;
      }
    } catch (error) {
      if (error.name !== "TypeError") throw error;
    }
  }
  return prices;
}

class Folder {
  constructor(files) {
    this.path = fs.mkdtempSync(path.join(os.tmpdir(), "rehearse-node-"));
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(this.path, name)), { recursive: true });
      fs.writeFileSync(path.join(this.path, name), text);
    }
  }

  file(name) {
    return path.join(this.path, name);
  }

  start(options, environment = {}) {
    const { NODE_TEST_CONTEXT, ...rest } = process.env;
    return spawn(process.execPath, options, {
      cwd: this.path,
      env: { ...rest, NODE_PATH: path.dirname(packageFolder), ...environment },
    });
  }

  /** Runs Node, and returns what it printed and its exit code. */
  run(options, environment) {
    return new Promise((resolve) => {
      const child = this.start(options, environment);
      let output = "";
      child.stdout.on("data", (text) => (output += text));
      child.stderr.on("data", (text) => (output += text));
      child.on("close", (code) => resolve({ output, code }));
    });
  }

  /** The processes that work in this folder. */
  processes() {
    return fs.readdirSync("/proc").filter((id) => {
      try {
        return /^\d+$/.test(id) && fs.readlinkSync(`/proc/${id}/cwd`).startsWith(this.path);
      } catch {
        return false;
      }
    });
  }

  remove() {
    fs.rmSync(this.path, { recursive: true });
  }
}

/** The folder of the package, whose name is that of the package. */
const packageFolder = process.env.REHEARSE_NODE_PACKAGE;

module.exports = { Folder, feed, readPrices };
