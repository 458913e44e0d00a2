const dark = matchMedia("(prefers-color-scheme: dark)");

const colours = () => {
  const root = getComputedStyle(document.documentElement);
  const value = (name) => root.getPropertyValue(name).trim();
  return {
    "font.color": value("--soft"),
    "hoverlabel.bgcolor": value("--card"),
    "hoverlabel.bordercolor": value("--soft"),
    "hoverlabel.font.color": value("--ink"),
  };
};

const fit = (place) => Plotly.relayout(place, place.clientWidth < 560
  ? {"font.size": 11, "xaxis.nticks": 4, "xaxis.tickangle": 0}
  : {"font.size": 13, "xaxis.nticks": 8, "xaxis.tickangle": 0});

const unpacked = async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
};

const draw = async () => {
  const packed = document.getElementById("plotly");
  if (!packed) return 0;
  const places = [...document.querySelectorAll(".figure")];
  try {
    const script = document.createElement("script");
    script.textContent = await unpacked(packed.textContent);
    document.head.append(script);
  } catch {
    for (const place of places) {
      place.textContent = "This browser cannot unpack the figures; their numbers are in the tables.";
      place.style.height = "auto";
    }
    return 0;
  }
  for (const place of places) {
    const data = document.querySelector(`script[data-figure="${place.id}"]`);
    await Plotly.newPlot(place, {...JSON.parse(data.textContent), config});
    await Plotly.relayout(place, colours());
  }
  places.forEach(fit);
  addEventListener("resize", () => places.forEach(fit));
  dark.addEventListener("change", () => places.forEach((place) => Plotly.relayout(place, colours())));
  return places.length;
};

// What is cut off at the right gets a shade there, until it is scrolled to.
const cue = (place) => {
  const left = place.scrollWidth - place.clientWidth - place.scrollLeft;
  place.classList.toggle("more", left > 4);
};
const scrolled = [...document.querySelectorAll(".scroll")];
const watching = new ResizeObserver((changes) => changes.forEach((change) => cue(change.target)));
for (const place of scrolled) {
  place.addEventListener("scroll", () => cue(place), {passive: true});
  watching.observe(place);
}

// A link to what is folded opens it.
const unfold = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = target?.closest("details") ?? target?.querySelector(":scope > details");
  if (!fold || fold.open) return;
  fold.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", unfold);
unfold();
