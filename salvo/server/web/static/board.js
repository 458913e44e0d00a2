// One side of the board as a grid: shown, walked through by the arrow keys, and pressed.
const SIGNS = {m: "o", h: "X", x: "X", u: "?"};
const WORDS = {w: "water", s: "ship", m: "miss", h: "hit", x: "sunk", u: "shot"};

// Chances are in thousandths; those of an opening are small, and the root keeps them apart.
const SHADES = [[227, 232, 238], [243, 188, 84], [214, 62, 84]];
const shade = (mille) => {
  const along = 2 * Math.sqrt(mille / 1000);
  const start = Math.min(Math.floor(along), 1);
  return `rgb(${SHADES[start].map((low, n) => Math.round(low + (SHADES[start + 1][n] - low) * (along - start))).join(",")})`;
};
export const percent = (mille) => (mille >= 100 ? `${Math.round(mille / 10)}%` : `${(mille / 10).toFixed(1)}%`);

export class Board {
  // `press(cell)` is called with a cell that was clicked, or chosen by Enter or the space bar.
  constructor(place, {columns, press}) {
    this.place = place;
    this.columns = columns;
    this.cells = [...place.querySelectorAll("tbody td")];
    this.names = this.cells.map((cell) => cell.getAttribute("aria-label").split(":")[0]);
    this.press = press;
    this.at = 0;
    const body = place.querySelector("tbody");
    body.addEventListener("click", (event) => {
      const cell = this.cells.indexOf(event.target.closest("td"));
      if (cell >= 0) { this.focus(cell, false); this.press(cell); }
    });
    body.addEventListener("keydown", (event) => this.key(event));
    this.cells.forEach((cell, number) => { cell.tabIndex = number ? -1 : 0; });
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const [row, column] = [Math.floor(this.at / this.columns), this.at % this.columns];
    const rows = this.cells.length / this.columns;
    const to = {
      ArrowLeft: [row, Math.max(column - 1, 0)],
      ArrowRight: [row, Math.min(column + 1, this.columns - 1)],
      ArrowUp: [Math.max(row - 1, 0), column],
      ArrowDown: [Math.min(row + 1, rows - 1), column],
      Home: [row, 0],
      End: [row, this.columns - 1],
    }[event.key];
    if (to) this.focus(to[0] * this.columns + to[1]);
    else if (event.key === "Enter" || event.key === " ") this.press(this.at);
    else return;
    event.preventDefault();
  }

  focus(cell, really = true) {
    this.cells[this.at].tabIndex = -1;
    this.at = cell;
    this.cells[cell].tabIndex = 0;
    if (really) this.cells[cell].focus();
  }

  // `marks` has a letter for each cell; the other sets say which cells are marked how beside that.
  show(marks, {chosen = new Set(), last = new Set(), wrong = new Set(), open = () => false, notes = new Map(), chances = null} = {}) {
    this.cells.forEach((cell, number) => {
      const mark = marks[number] ?? "w";
      cell.className = mark;
      cell.classList.toggle("chosen", chosen.has(number));
      cell.classList.toggle("last", last.has(number));
      cell.classList.toggle("wrong", wrong.has(number));
      cell.classList.toggle("open", open(number));
      const chance = chances && open(number) ? chances[number] : null;
      cell.style.background = chance === null ? "" : shade(chance);
      cell.textContent = SIGNS[mark] ?? "";
      const also = [chance !== null && percent(chance), chosen.has(number) && "chosen", last.has(number) && "shot last", notes.get(number)].filter(Boolean);
      cell.setAttribute("aria-label", [`${this.names[number]}: ${WORDS[mark]}`, ...also].join(", "));
    });
  }

  cellAt(x, y) {
    return this.cells.indexOf(document.elementFromPoint(x, y)?.closest?.("td"));
  }
}
