// A report, opened from disk.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { arena, checkPage, close, folder, open, picture, sizes, tabTo, weekend } from "./tools.mjs";

after(close);

const report = (...options) => {
  const where = folder();
  weekend(where);
  arena(where, "report", "weekend.db", "--out", "site", ...options);
  const site = path.join(where, "site");
  return { where, site, url: (page) => pathToFileURL(path.join(site, page)).href };
};

test("every page is in order, on phone and desktop, light and dark", async (t) => {
  const { site, url } = report("--replays", "8");
  // Of pages of a kind one.
  const one = (kind) => path.join(kind, readdirSync(path.join(site, kind))[0]);
  const pages = [...readdirSync(site).filter((name) => name.endsWith(".html")), one("agents"), one("matches")];
  assert.equal(pages.length, 7, `${pages}`);
  for (const size of Object.keys(sizes)) {
    for (const colorScheme of ["light", "dark"]) {
      const page = await open(t, { size, colorScheme });
      for (const name of pages) {
        await page.goto(url(name));
        await checkPage(page);
      }
      assert.ok(page.told.requests.every((request) => request.startsWith("file://")), `${page.told.requests}`);
    }
  }
});

test("a person finds from the standings to a match, and plays it with the keyboard alone", async (t) => {
  const { where, url } = report();
  const page = await open(t);
  await page.goto(url("index.html"));
  await picture(page, "standings");
  const follow = async (name) => {
    await tabTo(page, page.getByRole("link", { name, exact: true }).first());
    await page.keyboard.press("Enter");
  };
  await follow("max-ev");
  await page.waitForURL(/agents\/1\.html/);
  assert.equal(await page.locator("h1").innerText(), "max-ev");
  await picture(page, "agent");
  const first = await page.locator("tbody th a[href*='matches/']").first().innerText();
  await follow(first);
  await page.waitForURL(/matches\//);

  // What is shown is what the program prints.
  const record = JSON.parse(arena(where, "show", "weekend.db", first, "--format", "json"));
  const events = record.events;
  const dice = () => page.locator(".die svg").evaluateAll((all) => all.map((die) => die.getAttribute("aria-label")));
  const position = () => page.locator(".position").innerText();
  assert.equal(await position(), `0 of ${events.length}`);
  for (const event of events.slice(0, 12)) {
    await page.keyboard.press("ArrowRight");
    const shown = await dice();
    assert.deepEqual(shown.map((label) => Number(label[0])), event.roll, JSON.stringify(event));
    const kept = shown.filter((label) => label.endsWith(", kept")).map((label) => Number(label[0]));
    assert.deepEqual(kept, event.keep ?? [], JSON.stringify(event));
  }
  await page.keyboard.press("ArrowLeft");
  assert.equal(await position(), `11 of ${events.length}`);
  assert.match(page.url(), /#11$/);
  await page.keyboard.press("End");
  assert.equal(await position(), `${events.length} of ${events.length}`);
  const scores = await page.locator(".track .score").allInnerTexts();
  assert.deepEqual(scores.map((score) => Number(score.replaceAll(",", ""))), record.result.scores);
  // At the end it is said who won, and nobody is to play.
  const winner = record.seats[record.result.ranks.indexOf(1)].name;
  assert.ok((await page.locator(".outcome").innerText()).startsWith(`${winner} wins`), winner);
  assert.equal(await page.locator(".track.active").count(), 0);
  await page.keyboard.press("Home");
  assert.equal(await page.locator(".outcome").isVisible(), false);
  // A turn at a time: to the first event of the next turn.
  await page.keyboard.press("PageDown");
  assert.equal(await position(), `1 of ${events.length}`);
  await page.keyboard.press("PageDown");
  const second = events.findIndex((event) => event.seat !== events[0].seat);
  assert.equal(await position(), `${second + 1} of ${events.length}`);
  await page.keyboard.press("PageUp");
  assert.equal(await position(), `1 of ${events.length}`);
  // The keys mean the same on the slider.
  await tabTo(page, page.locator(".at"));
  await page.keyboard.press("PageDown");
  assert.equal(await position(), `${second + 1} of ${events.length}`);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await position(), `${second} of ${events.length}`);
  await page.keyboard.press("PageUp");
  assert.equal(await position(), `1 of ${events.length}`);

  // Plays by itself, at the speed that is chosen, and stops.
  await page.getByLabel("Speed").selectOption("very fast");
  await tabTo(page, page.getByRole("button", { name: "Play", exact: true }));
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => parseInt(document.querySelector(".position").textContent, 10) > 4);
  await page.keyboard.press("p");
  const stopped = await position();
  await page.waitForTimeout(400);
  assert.equal(await position(), stopped);

  // A link leads to a moment, also within the page.
  const moment = await page.getByRole("link", { name: "Link to this moment" }).getAttribute("href");
  assert.equal(moment, `#${parseInt(stopped, 10)}`);
  const other = await open(t, { size: "phone", colorScheme: "dark" });
  await other.goto(`${page.url().split("#")[0]}#9`);
  assert.equal(await other.locator(".position").innerText(), `9 of ${events.length}`);
  await other.locator("#s5").click();
  assert.equal(await other.locator(".position").innerText(), `5 of ${events.length}`);
  await checkPage(other);
  await picture(other, "replay-phone");
  await page.goto(`${page.url().split("#")[0]}#9`);
  await checkPage(page);
  await picture(page, "replay");
});

test("without scripts a match is told in words", async (t) => {
  const { where, site, url } = report("--replays", "0", "--match", "7");
  assert.deepEqual(readdirSync(path.join(site, "matches")), ["7.html"]);
  const told = arena(where, "show", "weekend.db", "7").split("\n").filter((line) => line.includes("keeps"));
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  t.after(() => browser.close());
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(url("matches/7.html"));
  assert.equal(await page.locator("#board").isVisible(), false);
  const words = (await page.locator(".told").innerText()).replaceAll(/\s+/g, " ");
  for (const line of told) assert.ok(words.includes(line.trim().replaceAll(/\s+/g, " ")), line);
});

test("the figure for papers is a picture that browsers draw", async (t) => {
  const where = folder();
  weekend(where, 5);
  const svg = arena(where, "standings", "weekend.db", "--format", "svg");
  const page = await open(t);
  const read = await page.evaluate((text) => {
    const read = new DOMParser().parseFromString(text, "image/svg+xml");
    return { root: read.documentElement.tagName, texts: [...read.querySelectorAll("text")].map((t) => t.textContent) };
  }, svg);
  assert.equal(read.root, "svg");
  for (const name of ["max-ev", "threshold-300", "bank-asap", "random"]) assert.ok(read.texts.includes(name));
});
