// Placing the fleet: by drag, by the keyboard, and by taps. What is wrong is said beside each ship.
export class Placing {
  constructor(state, board, dock) {
    [this.state, this.board, this.dock] = [state, board, dock];
    this.rows = board.cells.length / board.columns;
    this.ships = state.fleet.map(([name, length]) => ({name, length, cell: null, down: false}));
    this.held = 0;
    this.build();
    this.draw();
  }

  build() {
    const list = document.createElement("ul");
    for (const [number, ship] of this.ships.entries()) {
      const item = list.appendChild(document.createElement("li"));
      ship.button = item.appendChild(document.createElement("button"));
      ship.button.type = "button";
      ship.button.className = "ship";
      ship.button.textContent = `${ship.name} (${ship.length})`;
      ship.button.addEventListener("click", () => { this.held = number; this.draw(); });
      ship.said = item.appendChild(document.createElement("span"));
      ship.said.className = "wrong";
      ship.said.id = `said-${number}`;
      ship.button.setAttribute("aria-describedby", ship.said.id);
      this.draggable(ship.button, () => number);
    }
    const help = document.createElement("p");
    help.className = "about";
    const apart = {allowed: "", corners: " Ships may touch at their corners alone."}[this.state.touching] ?? " Ships may not touch.";
    help.textContent = `Choose a ship and press the cell of its bow, or drag it. Press a ship again to turn it; R turns it too, and Delete takes it back.${apart}`;
    this.dock.replaceChildren(help, list);
    this.dock.hidden = false;
    this.undo = new AbortController();
    const body = this.board.place.querySelector("tbody");
    this.draggable(body, (event) => this.shipAt(this.board.cellAt(event.clientX, event.clientY)));
    body.addEventListener("keydown", (event) => {
      if (event.key === "r" || event.key === "R") this.turn(this.shipAt(this.board.at) ?? this.held);
      else if (event.key === "Delete" || event.key === "Backspace") this.put(this.shipAt(this.board.at), null);
      else return;
      event.preventDefault();
    }, {signal: this.undo.signal});
  }

  end() {
    this.undo.abort();
    this.dock.hidden = true;
    this.dock.replaceChildren();
  }

  // A ship follows the pointer from where it was taken, which may be within it.
  draggable(place, which) {
    place.addEventListener("pointerdown", (event) => {
      const number = which(event);
      if (number === undefined || event.button) return;
      const ship = this.ships[number];
      const grip = this.cellsOf(ship).indexOf(this.board.cellAt(event.clientX, event.clientY));
      const before = ship.cell;
      let moved = false;
      const follow = (moving) => {
        const at = this.board.cellAt(moving.clientX, moving.clientY);
        if (at < 0 || this.cellsOf(ship).includes(at) && !moved && grip >= 0) return;
        moved = true;
        const back = Math.max(grip, 0);
        const row = Math.floor(at / this.board.columns) - (ship.down ? back : 0);
        const column = at % this.board.columns - (ship.down ? 0 : back);
        this.held = number;
        this.put(number, this.within(ship, Math.max(row, 0), Math.max(column, 0)));
      };
      const stop = new AbortController();
      addEventListener("pointermove", follow, {signal: stop.signal});
      addEventListener("pointercancel", () => { stop.abort(); this.put(number, before); }, {signal: stop.signal});
      addEventListener("pointerup", () => {
        stop.abort();
        // The click that ends a drag is no tap.
        if (moved) addEventListener("click", (click) => click.stopPropagation(), {capture: true, once: true});
        if (moved) setTimeout(() => dispatchEvent(new Event("dragged")), 0);
      }, {signal: stop.signal});
      if (event.pointerType !== "mouse") place.releasePointerCapture?.(event.pointerId);
    }, {signal: this.undo?.signal});
  }

  within(ship, row, column) {
    const [high, wide] = ship.down ? [ship.length, 1] : [1, ship.length];
    return Math.max(Math.min(row, this.rows - high), 0) * this.board.columns + Math.max(Math.min(column, this.board.columns - wide), 0);
  }

  cellsOf(ship) {
    if (ship.cell === null) return [];
    const step = ship.down ? this.board.columns : 1;
    return Array.from({length: ship.length}, (_, number) => ship.cell + number * step);
  }

  shipAt(cell) {
    const found = this.ships.findIndex((ship) => this.cellsOf(ship).includes(cell));
    return found < 0 ? undefined : found;
  }

  press(cell) {
    const there = this.shipAt(cell);
    if (there !== undefined && (there === this.held || this.ships[this.held].cell !== null)) {
      this.held = there;
      this.turn(there);
      return;
    }
    const ship = this.ships[this.held];
    this.put(this.held, this.within(ship, Math.floor(cell / this.board.columns), cell % this.board.columns));
    const next = this.ships.findIndex((one) => one.cell === null);
    if (next >= 0) this.held = next;
    this.draw();
  }

  turn(number) {
    const ship = this.ships[number];
    if (Math.max(this.rows, this.board.columns) < ship.length) return;
    const fits = ship.length <= (ship.down ? this.board.columns : this.rows);
    if (fits) ship.down = !ship.down;
    if (ship.cell !== null) ship.cell = this.within(ship, Math.floor(ship.cell / this.board.columns), ship.cell % this.board.columns);
    this.draw();
  }

  put(number, cell) {
    if (number === undefined) return;
    this.ships[number].cell = cell;
    this.draw();
  }

  clear() {
    for (const ship of this.ships) ship.cell = null;
    this.held = 0;
    this.draw();
  }

  take(layout) {
    for (const ship of this.ships) {
      const cells = [...layout[ship.name]].sort((one, other) => one - other);
      ship.cell = cells[0];
      ship.down = cells.length > 1 && cells[1] - cells[0] !== 1;
    }
    this.draw();
  }

  layout() {
    return Object.fromEntries(this.ships.map((ship) => [ship.name, this.cellsOf(ship)]));
  }

  wrongWith(ship) {
    if (ship.cell === null) return "not placed yet";
    const own = new Set(this.cellsOf(ship));
    for (const other of this.ships) {
      if (other === ship || other.cell === null) continue;
      const cells = this.cellsOf(other);
      if (cells.some((cell) => own.has(cell))) return `lies on the ${other.name}`;
      if (this.state.touching !== "allowed" && cells.some((cell) => [...own].some((mine) => this.near(cell, mine)))) return `touches the ${other.name}`;
    }
    return "";
  }

  near(one, other) {
    const wide = this.board.columns;
    const apart = [Math.abs(Math.floor(one / wide) - Math.floor(other / wide)), Math.abs(one % wide - other % wide)];
    return this.state.touching === "corners" ? apart[0] + apart[1] === 1 : Math.max(...apart) === 1;
  }

  draw() {
    const marks = Array(this.board.cells.length).fill("w");
    const [wrong, notes] = [new Set(), new Map()];
    let ready = true;
    for (const [number, ship] of this.ships.entries()) {
      const said = this.wrongWith(ship);
      ready &&= !said;
      ship.said.textContent = said;
      ship.said.className = ship.cell === null ? "about" : "wrong";
      ship.button.setAttribute("aria-pressed", String(number === this.held));
      for (const cell of this.cellsOf(ship)) {
        marks[cell] = "s";
        notes.set(cell, ship.name);
        if (said) wrong.add(cell);
      }
    }
    const held = new Set(this.cellsOf(this.ships[this.held]));
    this.board.show(marks.join(""), {wrong, notes, chosen: held, open: () => true});
    this.ready = ready;
    this.changed?.();
  }
}
