"use strict";
// Several watch the same game: the server says where it stands, and each goes on alone from there.
// Of a game in play the salvos come as they are fired.
class OnAir {
  constructor(watched, {onAir: address, of: game, stage = "over", salvos}) {
    [this.player, this.address, this.game, this.stage] = [watched, address, game, stage];
    document.querySelector("#player .controls").hidden = true;
    part("range").disabled = true;
    part("lines").setAttribute("aria-live", "off");
    this.hold = html("button", "Pause");
    this.hold.type = "button";
    this.hold.addEventListener("click", () => {
      this.held = !this.held;
      this.hold.textContent = this.held ? "Go on" : "Pause";
      if (this.stage === "in play") this.tick();
    });
    part("range").after(this.hold);
    if (this.stage === "in play") this.follow(`${salvos}&salvos=${this.player.replay.frames.length}`);
    this.ask();
  }

  follow(address) {
    const events = new EventSource(address);
    events.addEventListener("message", (event) => this.take(JSON.parse(event.data)));
    events.addEventListener("next", () => { events.close(); this.later(0, () => this.renew()); });
    // A page that is left may be kept for a while, and its connection with it, of which there are few.
    addEventListener("pagehide", () => events.close());
    addEventListener("pageshow", ({persisted}) => { if (persisted) reload(); });
    events.addEventListener("error", () => { if (events.readyState === EventSource.CLOSED) this.later(5000, () => this.follow(address)); });
  }

  take({from, salvos, at_s: at, salvo_s: each}) {
    for (const replay of replays) replay.frames.splice(from, Infinity, ...salvos.map((views) => views[replay.key]));
    part("range").max = this.player.replay.frames.length;
    this.stand(at, each);
    this.tick();
  }

  stand(at, each) {
    this.began = performance.now() - 1000 * at;
    this.each = 1000 * each;
  }

  async ask() {
    try {
      const told = await (await fetch(this.address, {headers: {Accept: "application/json"}})).json();
      if (told.game !== this.game || told.stage !== this.stage) {
        this.renew();
        return;
      }
      this.stand(told.at_s, told.salvo_s);
    } catch {
      this.later(5000);
      return;
    }
    this.tick();
  }

  renew() {
    if (this.held) this.later(1000, () => this.renew());
    else reload();
  }

  later(wait, act = () => this.ask()) { setTimeout(act, wait + 1000 * Math.random()); }

  tick() {
    const frames = this.player.replay.frames.length;
    const salvo = 1 + Math.floor((performance.now() - this.began) / this.each);
    clearTimeout(this.timer);
    if (!this.held) this.player.show(salvo);
    if (this.stage === "in play") this.tell(frames - salvo);
    if (salvo <= frames) this.timer = setTimeout(() => this.tick(), this.began + salvo * this.each - performance.now());
    else if (this.stage !== "in play") this.later(2000);
  }

  tell(behind) {
    const words = behind > 3 ? "In play now, faster than one can follow: shown some salvos behind" : "In play now: each salvo as it is fired";
    const place = document.getElementById("on-air");
    if (place.textContent !== words) place.textContent = words;
  }
}

const onAir = document.querySelector("[data-on-air]");
if (onAir) new OnAir(player, onAir.dataset);
