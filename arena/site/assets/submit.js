"use strict";
// Hands in an agent, and shows what became of it. The token stays in this tab.
(() => {
  const by = (id) => document.getElementById(id);
  const [token, file, name, said] = ["token", "file", "name", "said"].map(by);
  const kept = "farkle-arena-token";
  token.value = sessionStorage.getItem(kept) || "";

  let proposed = "";

  const say = (text, bad = false) => {
    said.textContent = text;
    said.classList.toggle("bad", bad);
  };

  class Refused extends Error {}

  // An answer of the API, or its error in words.
  const ask = async (path, options = {}) => {
    // What `arena token` prints may be pasted whole.
    const given = (/farkle_[0-9a-f]+/.exec(token.value) || [token.value.trim()])[0];
    sessionStorage.setItem(kept, given);
    const headers = { ...options.headers, Authorization: `Bearer ${given}` };
    let answer;
    try {
      answer = await fetch(path, { ...options, headers, cache: "no-store" });
    } catch (error) {
      throw new Refused("The server does not answer. Nothing is lost that it has said it has; try again later.");
    }
    const body = await answer.json().catch(() => null);
    if (answer.ok && body) return body;
    const unknown = "That is no token of this tournament, or it was replaced or revoked: paste the line that begins with farkle_.";
    const codes = { "no-token": unknown, "bad-token": unknown };
    const said = body && body.error ? body.error.message.replace(" (--name NAME)", "") : `the server answers ${answer.status}`;
    const told = (body && body.error && codes[body.error.code]) || said;
    const after = answer.headers.get("Retry-After");
    throw new Refused(after ? `${told} (try again in ${after} seconds)` : told);
  };

  const element = (what, text, children = []) => {
    const made = document.createElement(what);
    if (text) made.textContent = text;
    made.append(...children);
    return made;
  };

  const table = (heads, rows) => {
    const head = element("thead", "", [element("tr", "", heads.map((text) => {
      const cell = element("th", text);
      cell.scope = "col";
      return cell;
    }))]);
    const body = element("tbody", "", rows.map((cells) => element("tr", "", cells.map((cell) =>
      cell instanceof Node ? element("td", "", [cell]) : element("td", String(cell))))));
    const scrolls = element("div", "", [element("table", "", [head, body])]);
    scrolls.className = "scroll";
    scrolls.tabIndex = 0;
    scrolls.setAttribute("role", "region");
    scrolls.setAttribute("aria-label", heads[0]);
    return scrolls;
  };

  const link = (number) => {
    const made = element("a", String(number));
    made.href = `matches/${number}.html`;
    return made;
  };

  const words = {
    waiting: "waits to be checked", accepted: "accepted", refused: "refused", failed: "could not be checked",
  };
  const told = (submission) =>
    `${submission.name}: ${words[submission.state]}${submission.message ? `\n${submission.message}` : ""}`;

  const report = (submission) => {
    if (!submission.report) return "";
    const details = element("details", "", [
      element("summary", "report"), element("pre", JSON.stringify(submission.report, null, 2)),
    ]);
    return details;
  };

  // Each line of what was said on a line of its own.
  const message = (text) => {
    const made = element("span", text || "");
    made.className = "message";
    return made;
  };

  const showOwn = async () => {
    const { submissions } = await ask("api/submissions");
    const rows = submissions.map((one) =>
      [one.name, words[one.state], message(one.message), one.received, report(one)]);
    by("submissions").replaceChildren(rows.length
      ? table(["Agent", "State", "Said of it", "Received (UTC)", "Check"], rows) : element("p", "Nothing yet."));
    const { faults } = await ask("api/faults");
    const found = faults.map((one) =>
      [`${one.agent} v${one.version}`, link(one.match), one.kind, element("pre", one.message || "")]);
    by("own-faults").replaceChildren(found.length
      ? table(["Agent", "Match", "Fault", "What it said"], found) : element("p", "None."));
    by("own").hidden = false;
  };

  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

  // Waits for the check of a submission; a server that is away for a while is asked again.
  const follow = async (id) => {
    for (;;) {
      let submission = null;
      try {
        submission = await ask(`api/submissions/${id}`);
      } catch (error) {
        say(`Submission ${id} is stored. ${error.message}`, true);
      }
      if (submission) {
        say(told(submission), submission.state === "refused" || submission.state === "failed");
        if (submission.state !== "waiting") return;
      }
      await wait(700);
    }
  };

  const doing = async (what) => {
    try {
      await what();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // What is there may be somebody else's.
      by("own").hidden = true;
      say(error.message, true);
    }
  };

  file.addEventListener("change", () => {
    const chosen = file.files[0];
    // A name that its author has not touched follows the file.
    if (chosen && (!name.value || name.value === proposed)) {
      proposed = chosen.name.replace(/\.wasm$/, "").slice(0, 40);
      name.value = proposed;
    }
  });

  by("submit").addEventListener("submit", (event) => {
    event.preventDefault();
    doing(async () => {
      const most = 32 * 1024 * 1024;
      if (file.files[0].size > most) {
        const has = (file.files[0].size / 1024 / 1024).toFixed(1);
        say(`Components have at most 32 MiB; this file has ${has}.`, true);
        return;
      }
      // Before anything large is sent: whose token it is, and whether it is one.
      const { author } = await ask("api/submissions");
      const { agents } = await ask("api/agents");
      // Other people's names are refused by the server, which says whose they are.
      const there = agents.find((agent) => agent.name === name.value && !agent.withdrawn && agent.author === author);
      if (there && !confirm(`${name.value} takes part already. Replace it by a new version? The one that plays now plays no further matches.`)) {
        say("Nothing was submitted.");
        return;
      }
      say("Sending …");
      const submission = await ask(`api/submissions?name=${encodeURIComponent(name.value)}`, {
        method: "POST", headers: { "Content-Type": "application/wasm" }, body: file.files[0],
      });
      say(told(submission));
      await follow(submission.id);
      await showOwn();
    });
  });

  by("show-own").addEventListener("click", () => doing(async () => {
    await showOwn();
    say("");
  }));

  by("logs-form").addEventListener("submit", (event) => {
    event.preventDefault();
    doing(async () => {
      const number = by("logs-match").value;
      const { notes } = await ask(`api/matches/${number}/logs`);
      const rows = notes.map((note) => [note.event, note.seat, element("pre", note.lines.join("\n"))]);
      by("logs").replaceChildren(rows.length
        ? table(["Event", "Seat", "Notes"], rows) : element("p", `Your agents noted nothing in match ${number}.`));
      say("");
    });
  });
})();
