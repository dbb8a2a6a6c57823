// Colours of runs and of quantities.

export const runColours = ['#f08c48', '#4aa3df', '#7bc96f', '#c58af9', '#e6c84b', '#ef6f8f', '#56c9c1', '#b08d6a',
                           '#9aa7ff', '#d0d0d0'];
export const runColour = (index) => runColours[index % runColours.length];

// From low to high: growing lighter all the way, so that it reads without telling hues apart.
const stops = [[58, 60, 150], [52, 100, 190], [44, 145, 185], [60, 185, 140], [160, 215, 90], [255, 236, 120]];

/// The colour at x from 0 to 1, as three bytes.
export function rampColour(x) {
  const at = Math.min(Math.max(x, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  return stops[i].map((c, k) => Math.round(c + (at - i) * (stops[i + 1][k] - c)));
}

export const rampCss = `linear-gradient(90deg, ${stops.map((c) => `rgb(${c})`).join(', ')})`;
export const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
