// Plays a game: shows what the server says of it, and sends what the person does.
import {Board, percent} from "./board.js";
import {Placing} from "./placing.js";

const place = (id) => document.getElementById(id);
const say = (text) => { document.querySelector(".answer").textContent = text; };
const sent = async (address, body) => {
  const options = body === undefined ? {} : {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)};
  const answer = await fetch(address, {...options, headers: {...options.headers, Accept: "application/json"}}).catch(() => {
    throw new Error("The server does not answer. The game is kept: try again in a moment.");
  });
  const told = await answer.json().catch(() => ({error: `The server answered ${answer.status}.`}));
  if (!answer.ok) throw Object.assign(new Error(told.error), {status: answer.status});
  return told;
};
const many = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const paragraph = (text, kind = "") => Object.assign(document.createElement("p"), {textContent: text, className: kind});

class Table {
  constructor(state) {
    this.state = state;
    this.address = `/api/play/${state.id}`;
    const columns = document.querySelectorAll("#theirs thead th").length;
    this.theirs = new Board(place("theirs"), {columns, press: (cell) => this.aim(cell)});
    this.own = place("own") && new Board(place("own"), {columns, press: (cell) => this.pressOwn(cell)});
    this.chosen = new Set();
    this.coached = null;
    this.show(state);
    this.follow();
  }

  follow() {
    if (this.state.state !== "open") return;
    this.news = new EventSource(`/play/${this.state.id}/news`);
    this.news.onmessage = (event) => {
      if (Number(event.data) > this.state.number) this.renew();
    };
    this.news.addEventListener("gone", () => { this.news.close(); say("This game was left."); });
  }

  async renew() {
    try { this.show(await sent(this.address)); } catch (error) { say(error.message); }
  }

  show(state) {
    // What is shown already is left alone: a button may just be pressed.
    if (this.started && state.number <= this.state.number) return;
    const before = this.state;
    this.state = {...before, ...state};
    const asked = this.state.asked;
    if (this.placing && asked?.kind !== "place") { this.placing.end(); this.placing = null; }
    this.chosen = new Set(asked?.kind === "answer" ? asked.hits : []);
    this.moving = null;
    this.started = true;
    document.body.dataset.asked = asked?.kind ?? "";
    place("table").dataset.number = state.number;
    const lines = this.state.told.slice(-2).map((line) => paragraph(line));
    if (this.state.outcome) lines.unshift(paragraph(this.state.outcome, "outcome"));
    if (lines.map((line) => line.textContent).join("\n") !== [...place("told").children].map((line) => line.textContent).join("\n")) place("told").replaceChildren(...lines);
    place("fleets").textContent = this.state.fleets.join(" ");
    if (this.state.state !== "open") {
      this.news?.close();
      if (before.state === "open") location.reload();
    }
    if (asked?.kind === "place" && !this.placing) {
      this.placing = new Placing(this.state, this.own, place("dock"));
      this.placing.changed = () => this.acts();
    }
    this.coached = null;
    this.draw();
    this.acts();
    this.coach();
  }

  // What can be known is asked for as often as it is this person's turn, while the coach is on.
  get isCoached() { return sessionStorage.getItem("coach") === "on"; }

  async coach() {
    const [number, asked] = [this.state.number, this.state.asked];
    const wanted = asked?.kind === "shoot" ? this.isCoached : this.state.state === "over" && !this.state.bot;
    place("coach").hidden = !wanted || !this.coached;
    if (!wanted || this.coached || this.asking === number) return;
    this.asking = number;
    place("coach").hidden = false;
    place("coach").replaceChildren(paragraph("The coach is computing…"));
    try {
      for (;;) {
        const told = await sent(`${this.address}/coach`, {});
        if (this.state.number !== number) return;
        if (told.done) { this.coached = told; break; }
        await new Promise((later) => setTimeout(later, 250));
      }
      const likely = this.likeliest();
      place("coach").replaceChildren(...this.coached.told.map((line) => paragraph(line)), ...(likely ? [paragraph(likely)] : []));
      this.draw();
    } catch (error) { say(error.message); } finally { if (this.asking === number) this.asking = null; }
  }

  likeliest() {
    if (!this.coached.cells) return "";
    const open = this.coached.cells.map((chance, cell) => ({chance, cell})).filter(({cell}) => this.isOpen(cell));
    open.sort((one, other) => other.chance - one.chance || one.cell - other.cell);
    return `Likeliest cells: ${open.slice(0, 4).map(({chance, cell}) => `${this.theirs.names[cell]} ${percent(chance)}`).join(", ")}.`;
  }

  isOpen(cell) {
    return this.state.asked?.kind === "shoot" && (this.state.reshoot || "ws".includes(this.state.theirs[cell]));
  }

  draw() {
    const fired = new Set(this.state.fired);
    const aims = this.state.asked?.kind === "shoot" ? this.chosen : new Set();
    this.theirs.show(this.state.theirs, {chosen: aims, last: fired, open: (cell) => this.isOpen(cell), chances: this.coached?.cells});
    if (!this.own || this.placing) return;
    const asked = this.state.asked;
    const ships = asked?.kind === "move" ? Object.entries(asked.ships) : [];
    const notes = new Map(ships.flatMap(([ship, cells]) => cells.map((cell) => [cell, ship])));
    const open = new Set(asked?.kind === "answer" ? asked.cells : notes.keys());
    const chosen = asked?.kind === "answer" ? this.chosen : new Set(this.moving && asked.ships[this.moving]);
    this.own.show(this.state.own, {chosen, last: new Set(this.state.fresh), open: (cell) => open.has(cell), notes});
  }

  aim(cell) {
    if (!this.isOpen(cell)) {
      if (this.state.asked?.kind === "shoot") say(`${this.theirs.names[cell]} was shot before.`);
      return;
    }
    say("");
    const shots = this.state.asked.shots;
    if (shots === 1) { this.send({type: "shots", id: "", cells: [cell]}); return; }
    if (this.chosen.has(cell)) this.chosen.delete(cell);
    else if (this.chosen.size < shots) this.chosen.add(cell);
    else say(`All ${shots} shots are chosen: press one of them to take it back.`);
    this.draw();
    this.acts();
  }

  pressOwn(cell) {
    if (this.placing) { this.placing.press(cell); return; }
    const asked = this.state.asked;
    if (asked?.kind === "answer" && asked.cells.includes(cell)) {
      if (this.chosen.has(cell)) this.chosen.delete(cell); else this.chosen.add(cell);
    } else if (asked?.kind === "move") {
      this.moving = Object.keys(asked.ships).find((ship) => asked.ships[ship].includes(cell)) ?? null;
    } else return;
    this.draw();
    this.acts();
  }

  // What is to be said of the shots of the other side, and of those that were chosen.
  answering(asked) {
    const names = (cells) => cells.map((cell) => this.own.names[cell]).join(", ");
    const said = asked.cells.filter((cell) => this.chosen.has(cell));
    const lies = asked.cells.filter((cell) => said.includes(cell) !== asked.hits.includes(cell));
    const true_ = asked.hits.length ? `${names(asked.hits)} hit` : `${names(asked.cells)} missed`;
    const may = asked.lies ? `To lie about a cell, press it on your side; you may lie about ${many(asked.lies, "cell")}.` : "You may not lie any more.";
    return {
      due: `Answer them. In truth ${true_}. ${may}`,
      words: `Say ${said.length ? `hit at ${names(said)}` : "no hit"}${lies.length ? ", which is a lie" : ""}`,
      hits: said,
    };
  }

  acts() {
    const asked = this.state.asked;
    const acts = [];
    const act = (words, done, {enabled = true, first = false} = {}) => {
      const button = Object.assign(document.createElement("button"), {type: "button", textContent: words, disabled: !enabled, className: first ? "first" : ""});
      button.addEventListener("click", done);
      acts.push(button);
    };
    let due = "";
    if (asked?.kind === "place") {
      due = "Place your fleet.";
      act("Begin with this fleet", () => this.send({type: "layout", id: "", ships: this.placing.layout()}), {enabled: this.placing.ready, first: true});
      act("Random", () => this.random());
      act("Turn", () => this.placing.turn(this.placing.held));
      act("Clear", () => this.placing.clear());
    } else if (asked?.kind === "shoot") {
      const left = asked.shots - this.chosen.size;
      due = `Your turn: ${asked.shots === 1 ? "choose a cell to shoot at." : `choose ${many(asked.shots, "cell")}; ${left ? `${left} left.` : "fire when you are ready."}`}`;
      if (asked.shots > 1) act(`Fire${left ? "" : ` at ${[...this.chosen].map((cell) => this.theirs.names[cell]).join(", ")}`}`, () => this.send({type: "shots", id: "", cells: [...this.chosen]}), {enabled: !left, first: true});
    } else if (asked?.kind === "move") {
      due = `You may move one undamaged ship by a cell: ${asked.moves.length ? "press it on your side, or stay." : "none can move now."}`;
      for (const move of asked.moves.filter(({ship}) => ship === this.moving)) act(`${move.ship} ${move.way}`, () => this.send({type: "move", id: "", ship: move.ship, cells: move.cells}), {first: true});
      act("Stay", () => this.send({type: "move", id: "", ship: null}));
    } else if (asked?.kind === "answer") {
      const answer = this.answering(asked);
      due = answer.due;
      act(answer.words, () => this.send({type: "answer", id: "", hits: answer.hits}), {first: true});
    } else if (this.state.state === "open") {
      due = "The bot is thinking…";
    }
    if (asked?.kind === "shoot") {
      act(this.isCoached ? "Coach off" : "Coach", () => {
        sessionStorage.setItem("coach", this.isCoached ? "off" : "on");
        if (!this.isCoached) this.coached = null;
        this.draw();
        this.acts();
        this.coach();
      });
    }
    if (this.state.state === "open") act("Leave", () => this.leave());
    const focus = document.activeElement?.parentElement === place("acts") ? document.activeElement.textContent : null;
    place("acts").replaceChildren(...acts);
    acts.find((button) => button.textContent === focus && !button.disabled)?.focus();
    if (place("due").textContent !== due) place("due").textContent = due;
  }

  async send(action) {
    // Once for each state: the news of the next one may come before the answer to this request.
    const number = this.state.number;
    if (this.sending === number) return;
    this.sending = number;
    say("");
    try {
      this.show(await sent(this.address, {number, action}));
    } catch (error) {
      say(error.message);
      if (error.status === 409) this.renew();
    } finally {
      if (this.sending === number) this.sending = null;
    }
  }

  async random() {
    try { this.placing.take((await sent(`${this.address}/layout`)).ships); } catch (error) { say(error.message); }
  }

  async leave() {
    if (!confirm("Leave the game? It is not kept.")) return;
    try { await sent(`${this.address}/leave`, {}); location.href = "/play"; } catch (error) { say(error.message); }
  }
}

const begin = place("begin");
if (begin) {
  begin.hidden = false;
  begin.addEventListener("submit", async (event) => {
    event.preventDefault();
    say("");
    try {
      location.href = (await sent("/api/play", {bot: begin.elements.bot.value, seat: begin.elements.seat.value})).page;
    } catch (error) { say(error.message); }
  });
}
if (place("state")) new Table(JSON.parse(place("state").textContent));
