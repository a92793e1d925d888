// What the browser tests share: the program, a browser, and what every page must be.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";

const here = import.meta.dirname;
export const root = path.join(here, "../..");
export const program = path.resolve(process.env.ARENA ?? path.join(root, "target/debug/arena"));
export const sample = (name) => path.join(root, "sample-agents/built", `${name}.wasm`);
const pictures = process.env.PICTURES ?? path.join(root, "target/browser");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// Runs the program to its end.
export const arena = (folder, ...args) => execFileSync(program, args, { cwd: folder, encoding: "utf8" });

// A folder that goes with the last test: servers of a test end after it.
const folders = [];
export const folder = () => {
  folders.push(mkdtempSync(path.join(tmpdir(), "arena-browser-")));
  return folders.at(-1);
};

// A tournament file with a few agents, played, the first of which has an author.
export const weekend = (where, pairs = 40) => {
  arena(where, "create", "weekend.db", "--pairs", String(pairs), "--seed", "1");
  for (const name of ["max-ev", "threshold-300", "bank-asap", "random"]) {
    arena(where, "submit", sample(name), "--to", "weekend.db");
  }
  arena(where, "run", "weekend.db");
};

export const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

let browser;
export const open = async (t, { size = "desktop", colorScheme = "light" } = {}) => {
  browser ??= await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  });
  const context = await browser.newContext({ viewport: sizes[size], colorScheme });
  const page = await context.newPage();
  const told = { complaints: [], requests: [] };
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && told.complaints.push(message.text()));
  page.on("pageerror", (error) => told.complaints.push(error.message));
  page.on("request", (request) => told.requests.push(request.url()));
  t.after(() => context.close());
  return Object.assign(page, { told });
};

export const close = async () => {
  await browser?.close();
  for (const made of folders) rmSync(made, { recursive: true, force: true });
};

// No complaint of the browser, nothing wider than the screen, no serious finding of axe.
export const checkPage = async (page, { ignoring = [] } = {}) => {
  const where = page.url();
  const complaints = page.told.complaints.filter((text) => !ignoring.some((known) => text.includes(known)));
  assert.deepEqual(complaints, [], where);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(wide <= 0, `${where} is ${wide} pixels wider than the screen`);
  // Not as a script of the page, which its policy would forbid.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run({ preload: false }));
  const serious = violations.filter((one) => ["serious", "critical"].includes(one.impact));
  assert.deepEqual(serious.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" ")}`), [], where);
};

// Comes to a thing by the Tab key alone, as somebody does who has no pointer.
export const tabTo = async (page, thing) => {
  for (let presses = 0; presses < 150; presses += 1) {
    if (await thing.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`${thing} is not reached by the Tab key`);
};

export const picture = async (page, name) => {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: path.join(pictures, `${name}.png`), animations: "disabled" });
};

// A server on a free port, ended with the test.
export const serve = async (t, where, ...args) => {
  const bind = args.includes("--bind") ? [] : ["--bind", "127.0.0.1:0"];
  const server = spawn(program, ["serve", "weekend.db", ...bind, ...args], { cwd: where });
  const end = new Promise((done) => server.on("exit", (code) => done(code)));
  let said = "";
  server.stderr.on("data", (text) => { said += text; });
  const address = await new Promise((done, failed) => {
    let line = "";
    server.stdout.on("data", (text) => {
      line += text;
      const found = /http:\/\/\S+/.exec(line);
      if (found) done(found[0].replace(/\/$/, ""));
    });
    end.then((code) => failed(new Error(`the server ended with ${code}: ${said}`)));
  });
  const stop = async (signal = "SIGTERM") => {
    server.kill(signal);
    return end;
  };
  t.after(() => stop("SIGKILL"));
  return { address, stop, said: () => said };
};
