"use strict";
// Parts of a page with data-live are fetched anew when something happened that the page follows.
let waiting = null;
const shown = new WeakMap();
const renew = async () => {
  waiting = null;
  const answer = await fetch(location.href, {headers: {Accept: "text/html"}});
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.title = page.title;
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = page.getElementById(part.id);
    if (!fresh || fresh.innerHTML === (shown.get(part) ?? part.innerHTML) || part.contains(document.activeElement)) continue;
    shown.set(part, fresh.innerHTML);
    const scrolled = tables(part).map((table) => table.scrollLeft);
    part.replaceChildren(...fresh.childNodes);
    prepare(part);
    tables(part).forEach((table, number) => { table.scrollLeft = scrolled[number] ?? 0; });
  }
  const heading = page.querySelector("h1");
  if (heading) document.querySelector("h1").textContent = heading.textContent;
  tell();
};
// Everybody hears of it at once, and asks a little later, not all together.
const soon = () => { waiting ??= setTimeout(renew, 300 + 2700 * Math.random()); };
// A page that could not be loaded anew, as while the server starts again, would never come back.
const reload = async () => {
  const answer = await fetch(location.href, {method: "HEAD"}).catch(() => null);
  if (answer && answer.status !== 429 && answer.status < 500) location.reload();
  else setTimeout(reload, 3000 + 2000 * Math.random());
};
const follow = () => {
  const kinds = document.body.dataset.follow;
  if (!kinds) return;
  const events = new EventSource("/events");
  for (const kind of [...kinds.split(" "), "reset"]) events.addEventListener(kind, soon);
  // A page that is left may be kept for a while, and its connection with it, of which there are few.
  addEventListener("pagehide", () => events.close(), {once: true});
};
addEventListener("pageshow", ({persisted}) => {
  if (!persisted) return;
  follow();
  soon();
});

const say = (text) => { for (const place of document.querySelectorAll(".answer")) place.textContent = text; };
const send = async (address, type, body) => {
  const sent = fetch(address, {method: "POST", headers: {"Content-Type": type, Accept: "application/json"}, body});
  const answer = await sent.catch(() => { throw new Error("It could not be sent. Is it a file (a folder goes as .zip or .tar.gz), and is the server there?"); });
  const told = await answer.json().catch(() => ({error: answer.status === 413 ? "The file is too large." : `The server answered ${answer.status}.`}));
  if (!answer.ok) throw new Error(told.error);
  return told;
};
const post = (address, body) => send(address, "application/json", body);
const tried = (action) => async (event) => {
  event.preventDefault();
  say("");
  try { await action(event); } catch (error) { say(error.message); }
};

// What is to be kept stands there with a button that copies it, also where a page may not use the
// clipboard: without TLS browsers keep that from it.
const copied = async (text) => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.body.appendChild(document.createElement("textarea"));
  area.value = text;
  area.select();
  document.execCommand("copy");
  area.remove();
};
const button = (words, act) => {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  // What has the focus is not renewed.
  made.addEventListener("click", () => { made.blur(); return act(made); });
  return made;
};
const copier = (words, text) => button(words, async (made) => { await copied(text); made.textContent = "Copied"; });
const show = (place, link) => {
  const code = document.createElement("code");
  code.textContent = link;
  place.append(code, " ", copier("Copy", link));
};
const list = (place, invites) => {
  const cell = (text) => `"${text.replaceAll('"', '""')}"`;
  const csv = [["label", "code", "link"], ...invites.map((one) => [one.label, one.code, one.link])].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
  const file = document.createElement("a");
  file.href = URL.createObjectURL(new Blob([csv], {type: "text/csv"}));
  file.download = "invites.csv";
  file.textContent = "As CSV";
  const items = document.createElement("ul");
  for (const one of invites) {
    const item = items.appendChild(document.createElement("li"));
    item.append(`${one.label}: `);
    show(item, one.link);
  }
  const note = document.createElement("p");
  note.append("They are shown once. ", file, " ", copier("Copy all", invites.map((one) => `${one.label}\t${one.code}\t${one.link}`).join("\n")));
  place.replaceChildren(note, items);
  place.hidden = false;
};

const pressed = tried(async (event) => {
  const {post: address, body, sure, to} = event.currentTarget.dataset;
  if (sure && !confirm(sure)) return;
  event.currentTarget.blur();
  const told = await post(address, body ?? "{}");
  if (to) { location.href = to; return; }
  say(told.done ?? "");
  if (told.link) show(document.querySelector(".answer"), told.link);
  await renew();
});
const uploaded = tried(async (event) => {
  const form = event.currentTarget;
  const file = form.elements.file.files[0];
  const query = new URLSearchParams({name: form.elements.name.value, file: file.name});
  say("Sending…");
  const told = await send(`/api/bots?${query}`, "application/octet-stream", file);
  if (told.link) sessionStorage.setItem(`link ${told.id}`, told.link);
  location.href = new URL(told.page).pathname;
});
const invited = tried(async (event) => {
  const labels = event.currentTarget.elements.labels.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const told = await post("/api/operate/invites", JSON.stringify({labels}));
  list(document.querySelector(".made"), told.invites);
  event.target.reset();
  await renew();
});

// A form whose fields are sent as JSON: numbers as numbers, moments with the reader's time zone,
// and nothing of a field that is empty.
const filled = tried(async (event) => {
  const form = event.currentTarget;
  const body = {};
  for (const field of form.elements) {
    if (!field.name || !field.value) continue;
    body[field.name] = field.type === "datetime-local" ? new Date(field.value).toISOString() : field.type === "number" ? Number(field.value) : field.value;
  }
  const told = await post(form.dataset.json, JSON.stringify(body));
  say(told.done);
  form.reset();
  document.activeElement.blur();
  await renew();
});

// The secret link of a name is shown where it was just made, and nowhere else.
const reveal = (part) => {
  for (const place of part.querySelectorAll("[data-secret]")) {
    const link = sessionStorage.getItem(`link ${place.dataset.secret}`);
    place.hidden = !link;
    if (!link) continue;
    place.textContent = "A secret link of this bot, for another author of it. It is shown once; your own link opens the same pages: ";
    show(place, link);
  }
};
// What of a table is cut off at the right gets a shade there, until it is scrolled to.
const cue = (table) => { table.classList.toggle("more", table.scrollWidth - table.clientWidth - table.scrollLeft > 4); };
const watching = new ResizeObserver((changes) => { for (const change of changes) cue(change.target); });
const tables = (part) => [...part.querySelectorAll(".scroll")];
const prepare = (part) => {
  for (const table of tables(part)) { table.addEventListener("scroll", () => cue(table), {passive: true}); watching.observe(table); }
  for (const button of part.querySelectorAll("[data-post]")) { button.hidden = false; button.addEventListener("click", pressed); }
  reveal(part);
};
// Moments are told in the reader's own time zone, with the time that is left or has passed.
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];
const near = new Intl.RelativeTimeFormat(undefined, {numeric: "always"});
const tell = () => {
  for (const place of document.querySelectorAll("[data-moment]")) {
    const at = new Date(place.dateTime);
    const left = (at - Date.now()) / 1000;
    const [unit, seconds] = UNITS.find(([, one]) => Math.abs(left) >= one) ?? UNITS[2];
    place.textContent = `${at.toLocaleString(undefined, {dateStyle: "full", timeStyle: "short"})} (${near.format(Math.trunc(left / seconds), unit)})`;
  }
};
tell();
setInterval(tell, 20000);
prepare(document);
for (const form of document.querySelectorAll("[data-upload]")) {
  form.hidden = false;
  form.addEventListener("submit", uploaded);
  const drop = form.querySelector(".drop");
  for (const kind of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.toggle("over", kind === "dragover"); });
  }
  drop.addEventListener("drop", (event) => { form.elements.file.files = event.dataTransfer.files; });
}
for (const form of document.querySelectorAll("[data-json]")) form.addEventListener("submit", filled);
for (const form of document.querySelectorAll("[data-invites]")) form.addEventListener("submit", invited);
follow();
const waits = document.querySelector("[data-reload]");
if (waits) setTimeout(reload, 1000 * Number(waits.dataset.reload));
