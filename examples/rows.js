#!/usr/bin/env node
// A bot in JavaScript, without packages: one ship per row, random shots.

const lines = require("node:readline").createInterface({ input: process.stdin });
const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");

let rules, untried, state;

// An integer below `bound`, by Lehmer's generator: the arena's seed decides what it draws.
function draw(bound) {
  state = (state * 48271) % 2147483647;
  return state % bound;
}

lines.on("line", (line) => {
  const message = JSON.parse(line);
  switch (message.type) {
    case "hello":
      say({ type: "hello", protocol: 1, name: "Rows" });
      break;
    case "game":
      rules = message.rules;
      state = 1 + (message.seed % 2147483646);
      untried = Array.from({ length: rules.rows * rules.columns }, (_, cell) => cell);
      break;
    case "place": {
      const ships = {};
      rules.fleet.forEach(({ name, length }, row) => {
        ships[name] = Array.from({ length }, (_, n) => row * rules.columns + n);
      });
      say({ type: "layout", id: message.id, ships });
      break;
    }
    case "shoot": {
      const cells = [];
      while (cells.length < message.shots) {
        cells.push(...untried.splice(draw(untried.length), 1));
      }
      say({ type: "shots", id: message.id, cells });
      break;
    }
    case "bye":
      process.exit();
    case "fault":
      console.error(`stopped: ${message.reason}`);
      break;
  }
});
