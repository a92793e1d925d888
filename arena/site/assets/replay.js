"use strict";
// Shows a match step by step. Everything that is shown is in the page as data.
(() => {
  const match = JSON.parse(document.getElementById("match").textContent);
  const board = document.getElementById("board");
  const steps = match.steps;
  const last = steps.length;
  const find = (what) => board.querySelector(what);
  const parts = {
    heading: find(".heading"), dice: find(".dice"), event: find(".event"), groups: find(".groups"),
    risk: find(".risk-line"), better: find(".better"), result: find(".outcome"), at: find(".at"), position: find(".position"),
    moment: find(".moment"), play: find('[data-do="play"]'), speed: find(".speed"),
  };
  const tracks = [...board.querySelectorAll(".track")];
  const cursor = document.getElementById("cursor");
  const svg = "http://www.w3.org/2000/svg";
  const pips = {
    1: [[50, 50]], 2: [[25, 25], [75, 75]], 3: [[25, 25], [50, 50], [75, 75]],
    4: [[25, 25], [75, 25], [25, 75], [75, 75]], 5: [[25, 25], [75, 25], [50, 50], [25, 75], [75, 75]],
    6: [[25, 22], [25, 50], [25, 78], [75, 22], [75, 50], [75, 78]],
  };
  // Where the rolls are told beside the board, not below it.
  const beside = matchMedia("(min-width: 64rem)");
  const list = document.querySelector(".told");
  // Moves the list alone: the page stays where its reader has it.
  const bringIntoView = (link) => {
    const [place, frame] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
    const third = frame.top + frame.height / 3;
    if (place.top < frame.top || place.bottom > third) list.scrollTop += place.top - third;
  };
  const grouped = (points) => points.toLocaleString("en");
  let now = 0;
  let timer = null;

  const element = (name, attributes) => {
    const made = document.createElementNS(svg, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  const die = (face, kept) => {
    const box = document.createElement("div");
    box.className = kept ? "die kept" : "die";
    const picture = element("svg", { viewBox: "0 0 100 100", role: "img", "aria-label": kept ? `${face}, kept` : face });
    picture.append(element("rect", { x: 4, y: 4, width: 92, height: 92, rx: 16 }));
    for (const [cx, cy] of pips[face]) picture.append(element("circle", { cx, cy, r: 9.5 }));
    box.append(picture, kept ? "kept" : "\u00a0");
    return box;
  };

  // The kept dice among those rolled; of equal ones the first.
  const drawDice = (step) => {
    const kept = [...step.keep];
    const drawn = [...step.roll].map((face) => {
      const at = kept.indexOf(face);
      if (at >= 0) kept.splice(at, 1);
      return die(face, at >= 0);
    });
    parts.dice.replaceChildren(...drawn);
  };

  const drawTracks = (step) => {
    const scores = step ? step.scores : match.seats.map(() => 0);
    tracks.forEach((track, seat) => {
      const share = (points) => Math.max(0, Math.min(1000, (1000 * points) / match.end));
      const atRisk = step && step.seat === seat && step.next === "roll" ? step.at_risk : 0;
      track.classList.toggle("active", Boolean(step) && now < last && step.seat === seat);
      track.querySelector(".score").textContent = grouped(scores[seat]) + (atRisk ? ` + ${grouped(atRisk)}` : "");
      track.querySelector(".banked").setAttribute("width", share(scores[seat]));
      track.querySelector(".risk").setAttribute("x", share(scores[seat]));
      track.querySelector(".risk").setAttribute("width", share(scores[seat] + atRisk) - share(scores[seat]));
    });
  };

  const told = {
    roll: (step) => `At risk: ${grouped(step.at_risk)}`,
    bank: (step) => `Banked: ${grouped(step.scores[step.seat])} in all`,
    win: () => "That wins the match",
    farkle: () => "Farkle: nothing scores",
    fault: () => "A fault: the match is forfeited",
  };

  const drawStep = (step) => {
    const name = match.seats[step.seat].name;
    parts.heading.textContent = step.turn === 0 ? `${name}, before the first roll` : `${name}, turn ${step.turn}`;
    drawDice(step);
    parts.event.textContent = step.text.trim().replace(/ +/g, " ");
    parts.groups.replaceChildren(...step.groups.map((group) => {
      const item = document.createElement("li");
      item.textContent = `${group.name} (${[...group.dice].join("-")}): ${grouped(group.points)}`;
      return item;
    }));
    parts.risk.textContent = told[step.next](step);
    parts.better.textContent = step.better || "";
    parts.result.textContent = now === last ? match.result.join(" ") : "";
  };

  const drawStart = () => {
    parts.heading.textContent = "Before the first roll";
    parts.dice.replaceChildren();
    parts.event.textContent = `${match.seats.map((seat) => seat.name).join(" against ")}. Next, or Play, begins.`;
    parts.groups.replaceChildren();
    parts.risk.textContent = "";
    parts.better.textContent = "";
    parts.result.textContent = "";
  };

  const show = (place, follow = true) => {
    now = Math.max(0, Math.min(last, place));
    const step = steps[now - 1];
    if (step) drawStep(step); else drawStart();
    drawTracks(step);
    parts.at.value = now;
    parts.at.setAttribute("aria-valuetext", `${now} of ${last}`);
    parts.position.textContent = `${now} of ${last}`;
    parts.moment.setAttribute("href", `#${now}`);
    if (cursor) for (const x of ["x1", "x2"]) cursor.setAttribute(x, last ? (1000 * now) / last : 0);
    for (const item of document.querySelectorAll(".told .now")) {
      item.classList.remove("now");
      item.querySelector("a").removeAttribute("aria-current");
    }
    const link = document.getElementById(`s${now}`);
    if (link) {
      link.parentElement.classList.add("now");
      link.setAttribute("aria-current", "step");
      if (beside.matches) bringIntoView(link);
    }
    if (follow) history.replaceState(null, "", `#${now}`);
    if (now === last) stop();
  };

  const stop = () => {
    clearInterval(timer);
    timer = null;
    parts.play.textContent = "Play";
    parts.play.setAttribute("aria-pressed", "false");
  };

  const start = () => {
    if (now === last) show(0);
    clearInterval(timer);
    timer = setInterval(() => show(now + 1), Number(parts.speed.value));
    parts.play.textContent = "Pause";
    parts.play.setAttribute("aria-pressed", "true");
  };

  const turnOf = (place) => {
    const step = steps[place - 1];
    return step ? `${step.seat} ${step.turn}` : "";
  };
  // The first step of the turn after, or of this turn, or of the one before.
  const turnNext = () => {
    let place = now + 1;
    while (place < last && turnOf(place) === turnOf(now)) place += 1;
    return place;
  };
  const turnBack = () => {
    let place = now - 1;
    while (place > 1 && turnOf(place - 1) === turnOf(place)) place -= 1;
    return place;
  };
  const nextBlunder = () => {
    const after = steps.findIndex((step, index) => index + 1 > now && step.blunder);
    const first = steps.findIndex((step) => step.blunder);
    return after >= 0 ? after + 1 : first >= 0 ? first + 1 : now;
  };

  const doing = {
    first: () => show(0),
    last: () => show(last),
    back: () => show(now - 1),
    next: () => show(now + 1),
    "turn-back": () => show(turnBack()),
    "turn-next": () => show(turnNext()),
    blunder: () => show(nextBlunder()),
    play: () => (timer === null ? start() : stop()),
  };
  const keys = {
    ArrowRight: "next", ArrowLeft: "back", PageDown: "turn-next", PageUp: "turn-back", Home: "first", End: "last",
    p: "play", P: "play", b: "blunder", B: "blunder",
  };
  const act = (what) => {
    if (what !== "play") stop();
    doing[what]();
  };

  board.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button) act(button.dataset.do);
  });
  parts.at.addEventListener("input", () => {
    stop();
    show(Number(parts.at.value));
  });
  parts.speed.addEventListener("change", () => timer !== null && start());
  document.addEventListener("keydown", (event) => {
    const letter = event.key.length === 1;
    const busy = event.target.closest(`input:not([type=range]), textarea${letter ? "" : ", select"}`);
    if (busy || event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
    event.preventDefault();
    act(keys[event.key]);
  });
  const fromAddress = () => {
    const place = Number(location.hash.slice(1));
    show(Number.isInteger(place) ? place : 0, false);
  };
  window.addEventListener("hashchange", () => {
    stop();
    fromAddress();
  });
  board.hidden = false;
  fromAddress();
})();
