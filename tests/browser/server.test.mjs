// A served tournament: from a submission to a replay, and what a page says when something fails.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import { arena, checkPage, close, folder, open, picture, sample, serve, sizes, tabTo } from "./tools.mjs";

after(close);

const token = (where, author) => arena(where, "token", "weekend.db", author).split("\n")[0];

// A tournament file with two agents, of which nothing is played yet.
const fresh = (pairs = "30") => {
  const where = folder();
  arena(where, "create", "weekend.db", "--pairs", pairs, "--seed", "1");
  for (const name of ["threshold-300", "random"]) arena(where, "submit", sample(name), "--to", "weekend.db");
  return where;
};

// Fills the form with the keyboard, and hands in a file.
const submit = async (page, given, file, name) => {
  await tabTo(page, page.getByLabel("Your token"));
  await page.keyboard.type(given);
  await page.getByLabel("The component").setInputFiles(file);
  await tabTo(page, page.getByLabel("Its name"));
  await page.keyboard.press("Control+A");
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
};
const says = (page, text) => page.locator("#said").filter({ hasText: text }).waitFor({ timeout: 60_000 });

for (const [size, colorScheme] of Object.keys(sizes).flatMap((size) => [[size, "light"], [size, "dark"]])) {
  test(`an author hands in an agent and sees it play (${size}, ${colorScheme}, keyboard)`, async (t) => {
    const where = fresh();
    const ann = token(where, "ann");
    const { address, stop } = await serve(t, where);
    const watching = await open(t, { size, colorScheme });
    await watching.goto(address);

    const page = await open(t, { size, colorScheme });
    await page.goto(`${address}/submit.html`);
    const name = `<b>best & "last"`;
    await submit(page, ann, sample("max-ev"), name);
    await says(page, "accepted");
    await page.locator("#own").waitFor();
    assert.equal(await page.locator("#submissions tbody td").first().innerText(), name);
    await page.locator("#own-faults").getByText("None.").waitFor();
    await checkPage(page);

    // The page that was open all the time shows it, as text, and leads to it.
    const link = watching.getByRole("link", { name, exact: true });
    await link.waitFor({ timeout: 60_000 });
    await checkPage(watching);
    await watching.getByText("Everything that was planned is played.").waitFor({ timeout: 60_000 });
    await tabTo(watching, link);
    await watching.keyboard.press("Enter");
    await watching.waitForURL(/agents\/3\.html/);
    await watching.getByRole("heading", { name: "Style" }).waitFor({ timeout: 60_000 });
    await checkPage(watching);
    const all = watching.getByRole("link", { name: "All matches of this agent" });
    await tabTo(watching, all);
    await watching.keyboard.press("Enter");
    await watching.waitForURL(/matches\.html\?agent=3/);
    await checkPage(watching);
    // The form says what is listed, and goes on from there.
    const search = watching.locator("form.search");
    assert.equal(await search.getByLabel("Agent").locator("option:checked").innerText(), name);
    await search.getByLabel("Against").selectOption("random");
    await search.getByLabel("with a fault").check();
    await tabTo(watching, search.getByRole("button", { name: "List" }));
    await watching.keyboard.press("Enter");
    await watching.waitForURL(/agent=3&against=2&from=1&faults=true/);
    await watching.getByText("against random with a fault").waitFor();
    assert.ok(await search.getByLabel("with a fault").isChecked());
    await search.getByLabel("with a fault").uncheck();
    await tabTo(watching, search.getByRole("button", { name: "List" }));
    await watching.keyboard.press("Enter");
    await watching.waitForURL(/agent=3&against=2&from=1$/);
    const first = watching.locator("tbody th a").first();
    const number = await first.innerText();
    await tabTo(watching, first);
    await watching.keyboard.press("Enter");
    await watching.waitForURL(/matches\/\d+\.html/);
    await watching.keyboard.press("End");
    const record = JSON.parse(arena(where, "show", "weekend.db", number, "--format", "json"));
    const scores = await watching.locator(".track .score").allInnerTexts();
    assert.deepEqual(scores.map((score) => Number(score.replaceAll(",", ""))), record.result.scores);
    await checkPage(watching);
    if (size === "desktop" && colorScheme === "light") await picture(page, "submit");
    assert.equal(await stop(), 0);
  });
}

test("every page of a server is in order", async (t) => {
  const where = fresh();
  // A name as long as one may be.
  arena(where, "submit", `${"W".repeat(40)}=${sample("bank-asap")}`, "--to", "weekend.db");
  const { address } = await serve(t, where);
  const pages = ["", "cross-table.html", "matches.html", "faults.html", "rules.html", "submit.html", "agents/1.html"];
  for (const size of Object.keys(sizes)) {
    const page = await open(t, { size, colorScheme: size === "phone" ? "light" : "dark" });
    for (const name of pages) {
      await page.goto(`${address}/${name}`);
      await checkPage(page);
    }
    for (const name of ["nothing.html", "agents/99.html", "matches/999999.html", "matches.html?from=never"]) {
      const answer = await page.goto(`${address}/${name}`);
      assert.ok([400, 404].includes(answer.status()), `${name}: ${answer.status()}`);
      await checkPage(page, { ignoring: ["the server responded with a status of 4"] });
    }
    assert.ok(page.told.requests.every((request) => request.startsWith(address)), `${page.told.requests}`);
  }
});

test("what cannot be taken is said on the page, and nothing is lost", async (t) => {
  const where = fresh("2");
  const ann = token(where, "ann");
  const bob = token(where, "bob");
  const { address } = await serve(t, where);
  const page = await open(t);
  const again = async () => page.goto(`${address}/submit.html`).then(() => page.evaluate(() => sessionStorage.clear()))
    .then(() => page.reload());
  const ignoring = { ignoring: ["the server responded with a status of"] };

  await again();
  await submit(page, "nonsense", sample("max-ev"), "mine");
  await says(page, "no token of this tournament");
  await again();
  await submit(page, ann.replace(/.$/, (last) => (last === "0" ? "1" : "0")), sample("max-ev"), "mine");
  await says(page, "no token of this tournament");
  await checkPage(page, ignoring);

  const broken = path.join(where, "broken.wasm");
  writeFileSync(broken, "no component at all");
  await again();
  await submit(page, ann, broken, "mine");
  await says(page, "not a WebAssembly file");
  await checkPage(page, ignoring);

  await again();
  await submit(page, ann, sample("max-ev"), "mine");
  await says(page, "accepted");
  await again();
  // It is not his to replace, so he is not asked.
  page.on("dialog", (dialog) => assert.fail(dialog.message()));
  await submit(page, bob, sample("bank-asap"), "mine");
  await says(page, "ann");
  await checkPage(page, ignoring);
  // Bob sees nothing of Ann's.
  await again();
  await page.getByLabel("Your token").fill(bob);
  await page.getByRole("button", { name: "Show what I submitted" }).click();
  await page.locator("#submissions").getByText("Nothing yet.").waitFor();
});

test("a server that stops is missed, and goes on where it was", async (t) => {
  const where = fresh("3");
  const ann = token(where, "ann");
  const first = await serve(t, where);
  const [watching, page] = [await open(t), await open(t)];
  await watching.goto(first.address);
  await page.goto(`${first.address}/submit.html`);
  await submit(page, ann, sample("max-ev"), "mine");
  await says(page, "mine:");
  await first.stop("SIGKILL");
  await watching.getByText("The server does not answer.").waitFor({ timeout: 30_000 });
  await page.getByLabel("Its name").fill("other");
  await page.getByRole("button", { name: "Submit", exact: true }).click();
  await says(page, "The server does not answer.");

  // On the same port: both pages go on by themselves.
  const second = await serve(t, where, "--bind", new URL(first.address).host);
  await watching.getByRole("link", { name: "mine", exact: true }).waitFor({ timeout: 60_000 });
  await watching.getByText("The server is back.").waitFor({ timeout: 30_000 });
  const { complaints } = watching.told;
  assert.ok(complaints.every((text) => text.includes("ERR_CONNECTION_REFUSED") || text.includes("ERR_EMPTY_RESPONSE")), `${complaints}`);
  assert.equal(await second.stop(), 0);
});

test("a full disk is said on the page, and what is there stays", async (t) => {
  const where = fresh("3");
  const ann = token(where, "ann");
  arena(where, "run", "weekend.db");
  const disk = path.join(where, "disk");
  mkdirSync(disk);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]).status !== 0) {
    return t.skip("a small disk takes root and Linux's mount");
  }
  t.after(() => spawnSync("umount", ["-l", disk]));
  copyFileSync(path.join(where, "weekend.db"), path.join(disk, "weekend.db"));
  const { address } = await serve(t, disk, "--no-play");
  spawnSync("dd", ["if=/dev/zero", `of=${path.join(disk, "filler")}`, "bs=512"]);
  const page = await open(t);
  await page.goto(`${address}/submit.html`);
  await submit(page, ann, sample("max-ev"), "mine");
  await says(page, "disk is full");
  await page.goto(address);
  await page.getByRole("link", { name: "threshold-300" }).waitFor();
  spawnSync("rm", [path.join(disk, "filler")]);
  await page.goto(`${address}/submit.html`);
  await submit(page, "", sample("max-ev"), "mine");
  await says(page, "accepted");
});
