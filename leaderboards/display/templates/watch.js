const replays = [...document.querySelectorAll("script[data-replay]")].map((data) => (
  {key: data.dataset.replay, ...JSON.parse(data.textContent)}
));
const part = (name) => document.getElementById(`player-${name}`);
const sign = {w: "", s: "", m: "o", h: "X", x: "X"};
const svg = (tag, attributes, text) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
};
const html = (tag, text, of = "") => {
  const element = document.createElement(tag);
  element.textContent = text;
  if (of) element.className = of;
  return element;
};

// The chances of an opening are small: the root keeps them apart.
const shades = [[227, 232, 238], [243, 188, 84], [190, 24, 60]];
const shade = (mille) => {
  if (mille === null) return "#c5ccd6";
  const along = 2 * Math.sqrt(mille / 1000);
  const start = Math.min(Math.floor(along), 1);
  const mixed = shades[start].map((low, n) => low + (shades[start + 1][n] - low) * (along - start));
  return `rgb(${mixed.map(Math.round).join(",")})`;
};
const percent = (mille) => (mille >= 100 ? `${Math.round(mille / 10)}%` : `${(mille / 10).toFixed(1)}%`);

class Board {
  constructor(replay, chances) {
    const [high, wide] = [replay.rows.length, replay.columns.length];
    this.name = html("b", "");
    this.kind = html("span", "", "kind");
    this.drawing = svg("svg", {class: "board", viewBox: `-1 -1 ${wide + 1.1} ${high + 1.1}`, role: "img"});
    replay.columns.forEach((name, n) => this.drawing.append(svg("text", {class: "axis", x: n + 0.5, y: -0.3}, name)));
    replay.rows.forEach((name, n) => this.drawing.append(svg("text", {class: "axis", x: -0.5, y: n + 0.65}, name)));
    this.cells = Array.from({length: high * wide}, (_, cell) => {
      const [x, y] = [cell % wide, Math.floor(cell / wide)];
      const title = svg("title", {});
      const group = svg("g", {});
      const square = svg("rect", {x: x + 0.03, y: y + 0.03, width: 0.94, height: 0.94});
      const mark = svg("text", {class: "sign", x: x + 0.5, y: y + 0.69});
      const ring = svg("circle", {class: "ring", cx: x + 0.5, cy: y + 0.5, r: 0.4});
      group.append(title, square, mark, ring);
      this.drawing.append(group);
      return {name: `${replay.rows[y]}${replay.columns[x]}`, title, square, mark, ring};
    });
    this.told = html("p", "", "told");
    this.place = document.createElement("figure");
    this.place.className = chances ? "panel chances" : "panel";
    const head = document.createElement("figcaption");
    head.append(this.name, this.kind);
    this.place.append(head, this.drawing, this.told);
  }

  show(panel) {
    this.name.textContent = panel.name;
    this.kind.textContent = panel.kind;
    const fired = new Set(panel.fired);
    this.cells.forEach((cell, n) => {
      const mark = panel.marks[n];
      const chance = panel.chances?.[n];
      cell.square.setAttribute("class", panel.chances ? "" : mark);
      cell.square.style.fill = panel.chances ? shade(chance) : "";
      cell.mark.textContent = sign[mark];
      cell.mark.classList.toggle("light", (chance ?? 0) > 350);
      cell.ring.style.display = fired.has(n) ? "" : "none";
      cell.title.textContent = chance === undefined || chance === null ? cell.name : `${cell.name}: ${percent(chance)}`;
    });
    this.told.textContent = panel.chances ? this.likeliest(panel) : this.hits(panel);
    this.drawing.setAttribute("aria-label", `${panel.name}, ${panel.kind}. ${this.told.textContent}`);
  }

  hits(panel) {
    const count = (letters) => [...panel.marks].filter((mark) => letters.includes(mark)).length;
    const many = (number, one, more) => `${number} ${number === 1 ? one : more}`;
    const left = panel.hidden ? "" : `, ${many(count("s"), "cell of its ships left", "cells of its ships left")}`;
    return `${many(count("hx"), "hit", "hits")}, ${many(count("m"), "miss", "misses")}${left}`;
  }

  likeliest(panel) {
    const open = this.cells.map((cell, n) => ({...cell, n, chance: panel.chances[n]}))
      .filter(({n, chance}) => chance !== null && panel.marks[n] === "w")
      .sort((one, other) => other.chance - one.chance || one.n - other.n);
    const named = open.slice(0, 4).map(({name, chance}) => `${name} ${percent(chance)}`);
    return named.length ? `Likeliest cells: ${named.join(", ")}` : "Not known";
  }
}

class Player {
  constructor() {
    this.timer = null;
    part("back").addEventListener("click", () => this.step(-1));
    part("next").addEventListener("click", () => this.step(1));
    part("play").addEventListener("click", () => (this.timer ? this.stop() : this.play()));
    part("range").addEventListener("input", (event) => this.show(Number(event.target.value)));
    part("speed").addEventListener("change", () => { if (this.timer) this.play(); });
    addEventListener("hashchange", () => this.follow());
    addEventListener("keydown", (event) => {
      const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (!by || !plain || event.target.closest?.(".scroll, input, select, summary")) return;
      event.preventDefault();
      this.step(by);
    });
    document.getElementById("player").hidden = false;
    if (!this.follow()) this.open(0, replays[0].start);
  }

  // An address like #watch-closest-17 is the seventeenth salvo of a game.
  follow() {
    const [, key, salvo] = /^#watch-(\w+)-(\d+)$/.exec(location.hash) ?? [];
    const game = replays.findIndex((replay) => replay.key === key);
    if (game < 0) return false;
    this.stop();
    this.open(game, Number(salvo));
    document.getElementById("watch").scrollIntoView();
    return true;
  }

  open(game, salvo) {
    this.replay = replays[game];
    this.bars = null;
    for (const link of document.querySelectorAll("a[data-game]")) {
      link.setAttribute("aria-current", String(link.dataset.game === this.replay.key));
    }
    part("heading").textContent = this.replay.heading;
    part("range").max = this.replay.frames.length;
    for (const name of ["notes", "legend"]) {
      part(name).replaceChildren(...this.replay[name].map((line) => html("li", line)));
    }
    part("legend").parentElement.hidden = !this.replay.legend.length;
    this.boards = (this.replay.frames[0]?.panels ?? []).map((panel) => new Board(this.replay, panel.chances));
    part("panels").replaceChildren(...this.boards.map((board) => board.place), part("lines"));
    for (const name of ["range", "panels"]) part(name).hidden = !this.boards.length;
    document.querySelector("#player .controls").hidden = !this.boards.length;
    this.drawCosts();
    if (this.boards.length) this.show(salvo);
  }

  // A bar for each salvo whose cost is known; a click leads there.
  drawCosts() {
    const costs = this.replay.frames.map((frame) => frame.cost);
    const known = costs.filter((cost) => cost !== undefined);
    part("costs").hidden = !known.length;
    if (!known.length) return;
    const most = Math.max(...known, 0.5);
    const strip = svg("svg", {viewBox: `0 0 ${costs.length} 10`, preserveAspectRatio: "none", class: "costs", role: "img", "aria-label": `What each salvo cost, at most ${most.toFixed(2)}`});
    this.bars = costs.map((cost, n) => {
      const bar = svg("rect", {x: n + 0.1, width: 0.8, y: 10 - Math.max(9.6 * (cost ?? 0) / most, 0.4), height: 10});
      strip.append(bar);
      return bar;
    });
    strip.addEventListener("click", (event) => {
      const box = strip.getBoundingClientRect();
      this.stop();
      this.show(1 + Math.floor(costs.length * (event.clientX - box.left) / box.width));
    });
    part("costs").replaceChildren(strip);
  }

  show(salvo) {
    const frames = this.replay.frames;
    this.salvo = Math.min(Math.max(salvo, 1), frames.length);
    const frame = frames[this.salvo - 1];
    const [first, ...others] = frame.lines;
    part("lines").replaceChildren(html("strong", first), ...others.map((line) => html("p", line)));
    frame.panels.forEach((panel, n) => this.boards[n].show(panel));
    this.bars?.forEach((bar, n) => bar.classList.toggle("now", n === this.salvo - 1));
    part("range").value = this.salvo;
    part("range").setAttribute("aria-valuetext", first);
    part("link").href = `#watch-${this.replay.key}-${this.salvo}`;
    part("back").disabled = this.salvo === 1;
    part("next").disabled = this.salvo === frames.length;
  }

  step(by) {
    if (!this.boards.length) return;
    this.stop();
    this.show(this.salvo + by);
  }

  play() {
    this.stop();
    const last = this.replay.frames.length;
    if (this.salvo === last) this.show(1);
    part("play").textContent = "Pause";
    part("lines").setAttribute("aria-live", "off");
    this.timer = setInterval(() => {
      this.show(this.salvo + 1);
      if (this.salvo === last) this.stop();
    }, 1000 / Number(part("speed").value));
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    part("play").textContent = "Play";
    part("lines").removeAttribute("aria-live");
  }
}

const player = new Player();
const still = matchMedia("(prefers-reduced-motion: reduce)").matches || location.hash;
if (document.querySelector("[data-autoplay]") && player.boards.length && !still) player.play();
