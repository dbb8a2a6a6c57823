// The page: wires runs, stage, plots and controls together.
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { rampCss, runColour } from './colours.js';
import { readAbout, Run } from './data.js';
import { differences } from './differences.js';
import { choices, Plot } from './plots.js';
import { recordVideo, savePicture } from './saving.js';
import { Stage } from './stage.js';

const $ = (id) => document.getElementById(id);
const about = readAbout();
const packed = about.runs.map((run, index) => new Run(run, index));
const runs = packed.filter((run) => run.about.tetsOf === undefined);
packed.filter((run) => !runs.includes(run)).forEach((tets) => { runs[tets.about.tetsOf].tets = tets; });

/// Frames as they are numbered by the fastest run; others are looked up by time.
const timeline = {
  fps: Math.max(...runs.map((run) => run.fps)),
  start: runs[0].about.start,
  tickOf(time) { return this.start + time * this.fps; },
  timeOf(tick) { return (tick - this.start) / this.fps; }
};
const ends = (pick) => runs.map((run) => timeline.tickOf((run.numbers[pick(run)] - run.about.start) / run.fps));
timeline.first = Math.round(Math.min(...ends(() => 0)));
timeline.last = Math.round(Math.max(...ends((run) => run.last)));

let stage, plots;
let tick = timeline.first;
let playing = false;

const pressed = (button, on) => button.setAttribute('aria-pressed', String(on));
const isPressed = (button) => button.getAttribute('aria-pressed') === 'true';
const number = (value) => Math.abs(value) >= 1e4 || (value !== 0 && Math.abs(value) < 1e-3)
    ? value.toExponential(2) : String(Number(value.toPrecision(3)));

function seek(to) {
  tick = Math.min(Math.max(to, timeline.first), timeline.last);
  const shown = Math.round(tick);
  $('scrub').value = shown;
  $('where').textContent = `frame ${shown} / ${timeline.last} · ${timeline.timeOf(shown).toFixed(3)} s`;
  stage.show(timeline.timeOf(shown));
  plots.forEach((plot) => plot.at(shown));
  if (stage.byFrame) showLegend();
}

function play(on) {
  if (on === playing) return;
  playing = on;
  $('play').textContent = on ? '❚❚' : '▶';
  $('play').setAttribute('aria-label', on ? 'Stop' : 'Play');
  if (!on) {
    finishVideo?.();
    return seek(Math.round(tick));
  }
  if (tick >= timeline.last) seek(timeline.first);
  let before = performance.now();
  const go = (now) => {
    if (!playing) return;
    let next = tick + Math.min(now - before, 250) / 1000 * timeline.fps * Number($('speed').value);
    before = now;
    if (next > timeline.last) {
      if (finishVideo || !isPressed($('loop'))) {
        seek(timeline.last);
        return play(false);
      }
      next = timeline.first;
    }
    seek(next);
    requestAnimationFrame(go);
  };
  requestAnimationFrame(go);
}

function setColour(name) {
  $('colour').value = name;
  stage.paint(name || null);
  $('legend').hidden = $('range').hidden = !name;
  if (name) showLegend();
}

function showLegend() {
  const name = stage.quantity;
  if (!name) return;
  const unit = runs.flatMap((run) => run.about.quantities).find((q) => q.name === name).unit;
  const [low, high] = stage.range(name);
  $('legend-low').textContent = number(low);
  $('legend-high').textContent = `${number(high)} ${unit}`;
}

// From above a little off the vertical, as the camera's own up is y.
const cameras = { corner: [0.45, 0.3, 1], front: [0, 0.05, 1], side: [1, 0.05, 0], top: [0, 1, 0.001] };

function setCamera(name) {
  $('camera').value = name;
  if (cameras[name]) stage.fit(cameras[name]);
}

let finishVideo = null;
function video() {
  if (finishVideo) return play(false);
  play(false);
  seek(timeline.first);
  const stop = recordVideo(stage, timeline.fps, `${about.title}.webm`);
  pressed($('webm'), true);
  finishVideo = () => {
    finishVideo = null;
    pressed($('webm'), false);
    setTimeout(stop, 200);  // the last frame is to be seen as well
  };
  play(true);
}

function buildDifferences() {
  const found = differences(runs.map((run) => run.about.scene));
  const row = (cells, kind) => {
    const line = $('told-table').insertRow();
    cells.forEach((text) => {
      const cell = line.appendChild(document.createElement(kind));
      cell.textContent = text ?? '–';
    });
  };
  row(['key', ...runs.map((run) => run.label)], 'th');
  found.forEach(({ path, values }) => row([path, ...values], 'td'));
  if (!found.length) row(['their scenes are the same'], 'td');
  $('differences').hidden = false;
}

function setVisible(run, on) {
  run.visible = on;
  pressed($('runs').children[run.index], on);
  seek(tick);
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  $('theme').textContent = theme === 'dark' ? 'light' : 'dark';
  stage?.theme();
  plots?.forEach((plot) => plot.show(plot.choice));
}

function fillSelect(select, names, chosen) {
  names.forEach((name, i) => select.add(new Option(name, i)));
  select.addEventListener('change', () => chosen(Number(select.value)));
}

function buildRuns() {
  if (runs.length < 2) return;
  for (const run of runs) {
    const button = document.createElement('button');
    button.className = 'run';
    button.title = run.label;
    const dot = document.createElement('i');
    dot.style.background = runColour(run.index);
    const text = document.createElement('span');
    text.textContent = run.label;
    button.append(dot, text);
    pressed(button, true);
    button.addEventListener('click', () => setVisible(run, !run.visible));
    $('runs').append(button);
  }
  $('layout').hidden = false;
  buildDifferences();
}

function buildPlots() {
  const all = choices(runs);
  return [['energy', all.energy], ['momentum', all.momentum]].map(([id, list]) => {
    const plot = new Plot($(id), (time) => timeline.tickOf(time), (to) => { play(false); seek(to); });
    fillSelect($(`plot-${id}`), list.map((choice) => choice.name), (i) => plot.show(list[i]));
    plot.show(list[0]);
    return plot;
  });
}

const toggles = {
  play: () => play(!playing),
  wire: () => { pressed($('wire'), !isPressed($('wire'))); stage.setWire(isPressed($('wire'))); },
  tets: () => { pressed($('tets'), !isPressed($('tets'))); stage.setTets(isPressed($('tets'))); seek(tick); },
  colliders: () => { pressed($('colliders'), !isPressed($('colliders'))); stage.setColliders(isPressed($('colliders'))); },
  layout: () => {
    stage.overlaid = !stage.overlaid;
    $('layout').textContent = stage.overlaid ? 'side by side' : 'overlay';
    stage.ask();
  },
  fit: () => { stage.fit(); $('camera').value = 'corner'; },
  range: () => {
    stage.byFrame = !stage.byFrame;
    $('range').textContent = stage.byFrame ? 'of the frame' : 'of the run';
    setColour($('colour').value);
  },
  differences: () => $('told').open ? $('told').close() : $('told').showModal(),
  png: () => savePicture(stage, `${about.title}.${Math.round(tick)}.png`),
  webm: video,
  plots: () => { pressed($('plots'), !isPressed($('plots'))); $('panel').hidden = !isPressed($('plots')); },
  theme: () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'),
  loop: () => pressed($('loop'), !isPressed($('loop'))),
  help: () => $('keys').open ? $('keys').close() : $('keys').showModal()
};

function step(by) {
  play(false);
  seek(Math.round(tick) + by);
}
function stepOption(select, by, around) {
  const count = select.options.length;
  const next = select.selectedIndex + by;
  select.selectedIndex = around ? (next + count) % count : Math.min(Math.max(next, 0), count - 1);
  select.dispatchEvent(new Event('change'));
}

const keys = {
  ' ': toggles.play, w: toggles.wire, k: toggles.colliders, f: toggles.fit, p: toggles.plots, d: toggles.theme,
  l: toggles.loop, '?': toggles.help, s: toggles.png, v: toggles.webm,
  t: () => runs.some((run) => run.tets) && toggles.tets(),
  r: () => stage.quantity && toggles.range(),
  g: () => stepOption($('camera'), 1, true),
  i: () => runs.length > 1 && toggles.differences(),
  o: () => runs.length > 1 && toggles.layout(),
  ArrowLeft: (event) => step(event.shiftKey ? -10 : -1),
  ArrowRight: (event) => step(event.shiftKey ? 10 : 1),
  Home: () => { play(false); seek(timeline.first); },
  End: () => { play(false); seek(timeline.last); },
  c: () => stepOption($('colour'), 1, true),
  '+': () => stepOption($('speed'), 1),
  '=': () => stepOption($('speed'), 1),
  '-': () => stepOption($('speed'), -1)
};
for (let i = 1; i < 10; ++i) {
  keys[i] = () => runs[i - 1] && runs.length > 1 && setVisible(runs[i - 1], !runs[i - 1].visible);
}

function wire() {
  for (const [id, act] of Object.entries(toggles)) {
    $(id).addEventListener('click', (event) => {
      act();
      if (event.detail) event.currentTarget.blur();  // so that space plays again after a click
    });
  }
  $('scrub').min = timeline.first;
  $('scrub').max = timeline.last;
  $('scrub').addEventListener('input', () => { play(false); seek(Number($('scrub').value)); });
  $('legend').querySelector('i').style.background = rampCss;
  const names = [...new Set(runs.flatMap((run) => run.about.quantities.map((q) => q.name)))];
  $('colour').add(new Option('body', ''));
  names.forEach((name) => $('colour').add(new Option(name, name)));
  $('colour').addEventListener('change', () => setColour($('colour').value));
  $('camera').value = 'corner';
  $('camera').addEventListener('change', () => setCamera($('camera').value));
  stage.controls.addEventListener('start', () => { $('camera').value = ''; });
  addEventListener('keydown', (event) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const inControl = event.target.matches('select') || (key === ' ' && event.target.matches('button'));
    if (!keys[key] || inControl || event.ctrlKey || event.metaKey || event.altKey) return;
    if (($('keys').open && key !== '?') || ($('told').open && key !== 'i')) return;
    event.preventDefault();
    keys[key](event);
  });
}

async function start() {
  document.title = about.title;
  $('title').textContent = about.title;
  setTheme(matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
  await Promise.all(packed.map(async (run) => {
    await run.unpackTopology();
    await run.unpackBlock(0);
  }));
  stage = new Stage($('canvas'), $('labels'), runs);
  buildRuns();
  plots = buildPlots();
  $('panel').hidden = !plots.some((plot) => plot.choice);
  $('plots').hidden = $('panel').hidden;
  $('tets').hidden = !runs.some((run) => run.tets);
  $('colliders').hidden = !runs.some((run) => run.about.colliders.length);
  wire();
  seek(timeline.first);
  stage.fit();
  stage.draw();
  window.verve.opened = performance.now();
}

async function unpackRest() {
  const most = Math.max(...packed.map((run) => run.about.blocks.length));
  for (let block = 1; block < most; ++block) {
    await Promise.all(packed.filter((run) => block < run.about.blocks.length).map((run) => run.unpackBlock(block)));
    seek(tick);
  }
}

/// For those who drive the page: it is open (and after how many milliseconds, as `opened`), all of it is there, and what it
/// shows.
const open = start();
window.verve = {
  open,
  complete: open.then(unpackRest),
  runs,
  get stage() { return stage; },
  get frame() { return Math.round(tick); },
  get playing() { return playing; },
  get plots() { return plots; }
};
