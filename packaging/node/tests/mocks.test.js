"use strict";

const assert = require("node:assert");
const { after, test } = require("node:test");
const { pathToFileURL } = require("node:url");
const { serve, Refused, ScenarioFailed } = require(process.env.REHEARSE_NODE_PACKAGE);
const { Folder, feed, readPrices } = require("./folder.js");

const orders = `scenario: Orders
endpoints:
  api:
    http: [{ post: /orders, respond: { status: 201 } }]
steps:
  - expect: { api: { post: /orders } }
`;
const here = new Folder({
  "feed.scenario.yaml": feed,
  "orders.scenario.yaml": orders,
  "broken.scenario.yaml": "scenario: Broken\nendpoint: {}\n",
});
after(() => here.remove());
const feeds = here.file("feed.scenario.yaml");

test("a mock is served and judged", async () => {
  const kinds = await serve(pathToFileURL(feeds), async (mock) => {
    assert.deepEqual(await readPrices(mock.feed.url), [41, 42]);
    await mock.waitFor((event) => event.kind === "left");
    return mock.events.map((event) => event.kind);
  });
  assert.deepEqual(kinds.slice(0, 2), ["request", "stream"]);
});

test("what is missing at the end fails the test", async () => {
  const file = here.file("orders.scenario.yaml");
  await assert.rejects(serve(file, { within: "50ms" }, () => {}), (error) =>
    error instanceof ScenarioFailed && /orders\.scenario\.yaml:6/.test(error.message));
  await assert.rejects(serve(file, { within: "50ms" }, () => assert.strictEqual(1, 2)),
    /1 !== 2[^]*The mock says:[^]*orders\.scenario\.yaml:6/);
  await serve(file, (mock) => fetch(`${mock.api.url}/orders`, { method: "POST" }));
  const mock = await serve(file, { within: "50ms" });
  await assert.rejects(mock.judge(), ScenarioFailed);
});

test("a test makes its mock act", async () => {
  await serve(feeds, async (mock) => {
    const prices = readPrices(mock.feed.url, 3);
    await mock.waitFor((event) => event.kind === "event" && event.value.id === "2");
    await mock.feed.send({ id: "3", data: { price: 43 } });
    assert.deepEqual(await prices, [41, 42, 43]);
  });
  await serve(feeds, async (mock) => {
    await mock.disturb("cut after event 1 of feed, connection 1");
    assert.deepEqual(await readPrices(mock.feed.url), [41, 42]);
    await mock.waitFor((event) => event.kind === "request" && event.connection === 2);
  });
  await serve(feeds, { disturb: "refuse connection 1 of feed" }, async (mock) => {
    await assert.rejects(mock.send("fed", {}), Refused);
    await assert.rejects(mock.disturb("cat after event 1"), Refused);
    assert.deepEqual(await readPrices(mock.feed.url), [41, 42]);
  });
});

test("a scenario that is not served shows its diagnostics", async () => {
  await assert.rejects(serve(here.file("broken.scenario.yaml")), /unknown-key[^]*broken\.scenario\.yaml:2:1/);
  await assert.rejects(serve(here.file("food.scenario.yaml")), /food\.scenario\.yaml/);
});

test("a mock that nobody has judged keeps no process alive", async () => {
  const { output, code } = await here.run(["-e", `
    require("rehearse").serve("feed.scenario.yaml").then((mock) => console.log(mock.feed.port > 0))`]);
  assert.equal(output, "true\n");
  assert.equal(code, 0);
  for (let n = 0; n < 250 && here.processes().length; n++) await new Promise((r) => setTimeout(r, 20));
  assert.deepEqual(here.processes(), []);
});
