// Begins a challenge.
const form = document.getElementById("challenge");
if (form) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = JSON.stringify({bot: form.elements.bot.value, opponent: form.elements.opponent.value});
    const headers = {"Content-Type": "application/json", Accept: "application/json"};
    const answer = await fetch("/api/challenges", {method: "POST", headers, body}).catch(() => null);
    const told = await answer?.json().catch(() => ({}));
    if (answer?.ok) location.href = told.page;
    else form.querySelector(".answer").textContent = told?.error ?? "The server does not answer; try again in a moment.";
  });
}
