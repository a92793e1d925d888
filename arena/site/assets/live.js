"use strict";
// Keeps a page up to date: asks for it again, and replaces the parts that have changed.
(() => {
  const said = document.getElementById("live-state");
  const pause = 2000;
  let tag = null;
  let lost = false;

  const say = (text) => {
    if (said.textContent !== text) said.textContent = text;
  };

  const take = (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const names = (of) => [...of.querySelectorAll("[data-live]")].map((part) => part.id).join(" ");
    // The page has become another one, as when play begins.
    if (names(page) !== names(document)) {
      location.reload();
      return;
    }
    for (const part of document.querySelectorAll("[data-live]")) {
      const fresh = page.getElementById(part.id);
      // Who is at work in a part keeps it.
      if (fresh && fresh.innerHTML !== part.innerHTML && !part.contains(document.activeElement)) {
        part.replaceChildren(...fresh.childNodes);
      }
    }
  };

  const ask = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(location.href, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
      if (answer.status === 200) {
        tag = answer.headers.get("ETag");
        take(await answer.text());
      } else if (answer.status !== 304) {
        throw new Error(`the server answers ${answer.status}`);
      }
      if (lost) say("The server is back.");
      lost = false;
    } catch (error) {
      lost = true;
      say("The server does not answer. What you see is what it said last; asking again.");
    }
  };

  const loop = async () => {
    await ask();
    setTimeout(loop, pause);
  };
  setTimeout(loop, pause);
})();
