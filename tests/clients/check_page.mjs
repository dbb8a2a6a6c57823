// Opens a page of `verve view` in Chromium, plays and scrubs it, and compares screenshots with the geometry of the cache.
//
//   node check_page.mjs PAGE.html FRAMES.json [--shots FOLDER]
// FRAMES.json: { "<frame>": { "points": [x, y, z, ...], "triangles": [a, b, c, ...], "speed": [...] }, ... }, as the cache has
// them. The body is drawn here by a rasteriser of our own with the camera that the page says it used; the two masks must
// agree except along the outline. Exits 1 and says why if they do not.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const modules = createRequire(join(resolve(process.env.VERVE_NPM ?? '.'), 'node_modules', 'x.js'));
const { chromium } = modules('playwright-core');
const { PNG } = modules('pngjs');

const [pageFile, framesFile] = process.argv.slice(2);
const shots = process.argv[4] === '--shots' ? process.argv[5] : null;
const truth = JSON.parse(readFileSync(framesFile));

const failures = [];
function expect(good, what) {
  console.log(`${good ? 'ok  ' : 'FAIL'} ${what}`);
  if (!good) failures.push(what);
}

/// 1 where a triangle covers the middle of a pixel.
function rasterise({ points, triangles }, matrix, width, height) {
  const mask = new Uint8Array(width * height);
  const at = (i) => {
    const [x, y, z] = points.slice(3 * i, 3 * i + 3);
    const row = (r) => matrix[r] * x + matrix[r + 4] * y + matrix[r + 8] * z + matrix[r + 12];
    const w = row(3);
    return [(row(0) / w + 1) / 2 * width, (1 - row(1) / w) / 2 * height];
  };
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [at(triangles[t]), at(triangles[t + 1]), at(triangles[t + 2])];
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (area === 0) continue;
    const low = (k, most) => Math.max(0, Math.min(most, Math.floor(Math.min(a[k], b[k], c[k]))));
    const high = (k, most) => Math.max(0, Math.min(most, Math.ceil(Math.max(a[k], b[k], c[k]))));
    for (let y = low(1, height); y < high(1, height); ++y) {
      for (let x = low(0, width); x < high(0, width); ++x) {
        const [px, py] = [x + 0.5, y + 0.5];
        const u = ((b[0] - px) * (c[1] - py) - (b[1] - py) * (c[0] - px)) / area;
        const v = ((c[0] - px) * (a[1] - py) - (c[1] - py) * (a[0] - px)) / area;
        if (u >= 0 && v >= 0 && u + v <= 1) mask[y * width + x] = 1;
      }
    }
  }
  return mask;
}

const browser = await chromium.launch({
  executablePath: process.env.VERVE_CHROMIUM ?? '/usr/bin/chromium', headless: true,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
         '--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']
});
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
const errors = [];
page.on('pageerror', (error) => errors.push(String(error)));
page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
let dialogs = 0;
page.on('dialog', (dialog) => { ++dialogs; dialog.dismiss(); });
const asked = [];
page.on('request', (request) => /^(file|data|blob):/.test(request.url()) || asked.push(request.url()));

await page.goto(pathToFileURL(resolve(pageFile)).href);
await page.waitForFunction(() => window.verve);
await page.evaluate(() => window.verve.complete);

const canvas = page.locator('#stage');
async function settle() {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));
}
async function screenshot(name) {
  await settle();
  const bytes = await canvas.screenshot();
  if (shots) writeFileSync(join(shots, `${name}.png`), bytes);
  return PNG.sync.read(bytes);
}
const frame = () => page.evaluate(() => window.verve.frame);
const camera = () => page.evaluate(() => {
  const { camera } = window.verve.stage;
  camera.updateMatrixWorld();
  return camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse).elements.slice();
});
/// Pixels that are not the background.
async function drawnMask(name) {
  const image = await screenshot(name);
  const back = [...image.data.slice(4 * (8 * image.width + 8), 4 * (8 * image.width + 8) + 3)];  // a corner
  const mask = new Uint8Array(image.width * image.height);
  for (let i = 0; i < mask.length; ++i) {
    mask[i] = Math.max(...back.map((c, k) => Math.abs(image.data[4 * i + k] - c))) > 24 ? 1 : 0;
  }
  return { image, mask };
}
async function compare(name) {
  const number = await frame();
  const { image, mask } = await drawnMask(name);
  const wanted = rasterise(truth[number], await camera(), image.width, image.height);
  let both = 0, either = 0;
  const margin = 3;  // the lines around the stage
  for (let i = 0; i < mask.length; ++i) {
    const [x, y] = [i % image.width, Math.floor(i / image.width)];
    if (Math.min(x, y, image.width - 1 - x, image.height - 1 - y) < margin) continue;
    both += mask[i] & wanted[i];
    either += mask[i] | wanted[i];
  }
  // Only pixels of the outline may differ: antialiasing and 16 bits of position move it by less than one.
  const outline = wanted.reduce((sum, inside, i) => sum + (inside && !(wanted[i - 1] && wanted[i + 1] &&
      wanted[i - image.width] && wanted[i + image.width]) ? 1 : 0), 0);
  expect(both > 500 && either - both <= outline,
         `${name}: frame ${number} is where the cache has it (${both} pixels shared, ${either - both} differ, outline ${outline})`);
  return mask;
}
const differ = (a, b) => a.reduce((sum, x, i) => sum + (x !== b[i] ? 1 : 0), 0);

// Only the body against the background.
await page.evaluate(() => document.activeElement.blur());
const numbers = Object.keys(truth).map(Number).sort((a, b) => a - b);
const [first, last] = [numbers[0], numbers[numbers.length - 1]];
if (await page.locator('#colliders').isVisible()) {
  const shown = (await drawnMask('colliders')).mask;
  await page.keyboard.press('k');
  expect(differ(shown, (await drawnMask('no-colliders')).mask) > 500, 'colliders are drawn, and K hides them');
}
expect(await frame() === first, `it opens at the first frame, ${first}`);
const atFirst = await compare('first');

await page.keyboard.press('End');
expect(await frame() === last, 'End goes to the last frame');
const atLast = await compare('last');
expect(differ(atFirst, atLast) > 500, 'the first and the last frame look different');

await page.keyboard.press('Home');
for (let i = 0; i < 3; ++i) await page.keyboard.press('ArrowRight');
expect(await frame() === first + 3, 'the arrow keys step by a frame');
await compare('stepped');

// Scrubbing with the mouse.
const slider = await page.locator('#scrub').boundingBox();
await page.mouse.click(slider.x + slider.width / 2, slider.y + slider.height / 2);
const middle = await frame();
expect(Math.abs(middle - (first + last) / 2) <= 2, `a click in the middle of the slider goes to frame ${middle}`);
await compare('scrubbed');
await page.locator('#scrub').evaluate((element) => element.blur());

// Orbiting.
const stage = await canvas.boundingBox();
const before = await drawnMask('before-orbit');
await page.mouse.move(stage.x + stage.width / 2, stage.y + stage.height / 2);
await page.mouse.down();
await page.mouse.move(stage.x + stage.width / 2 + 180, stage.y + stage.height / 2 - 40, { steps: 5 });
await page.mouse.up();
await settle();
const turned = await compare('orbited');
expect(differ(before.mask, turned) > 200, 'dragging turns the view');
await page.keyboard.press('f');

// Playing.
await page.keyboard.press('Home');
await page.keyboard.press(' ');
await page.waitForFunction((from) => window.verve.frame > from + 2, first);
expect(await page.evaluate(() => window.verve.playing), 'space plays');
await page.keyboard.press(' ');
expect(!(await page.evaluate(() => window.verve.playing)), 'space stops');
const stoppedAt = await frame();
expect(stoppedAt > first + 2 && truth[stoppedAt] !== undefined, `it stopped at frame ${stoppedAt}`);
await compare('played');

// The plot's mark goes with the frame, and a click in the plot goes to a frame.
const mark = () => page.evaluate(() => parseFloat(window.verve.plots[0].mark.style.left));
await page.keyboard.press('Home');
const markFirst = await mark();
await page.keyboard.press('End');
const markLast = await mark();
expect(markLast > markFirst + 50, 'the mark in the energy plot goes with the frame');
const over = await page.locator('#energy .u-over').boundingBox();
await page.mouse.click(over.x + over.width / 2, over.y + over.height / 2);
expect(Math.abs(await frame() - (first + last) / 2) <= 2, 'a click in the plot goes to its frame');
const legend = await page.evaluate(() => {
  const { plot, choice } = window.verve.plots[0];
  const at = plot.data[0].indexOf(window.verve.frame);
  return choice.series.map(({ run, column }, i) => [plot.data[i + 1][at], run.about.report[column][at]]);
});
expect(legend.length > 0 && legend.every(([shown, reported]) => shown === reported), 'the plot shows what report.csv says');

// Colours: fast points are light, slow ones dark, as the cache has them.
await page.keyboard.press('c');
const chosen = await page.locator('#colour').inputValue();
expect(chosen === 'speed', `C colours by speed first (${chosen})`);
const colours = await page.evaluate(() => {
  const view = window.verve.stage.views[0];
  return { sums: Array.from({ length: view.run.about.points }, (_, i) => view.colour.array.slice(3 * i, 3 * i + 3)
               .reduce((a, b) => a + b, 0)), frame: window.verve.frame };
});
const speeds = truth[colours.frame].speed;
if (speeds.length === colours.sums.length) {
  const order = speeds.map((_, i) => i).sort((a, b) => speeds[a] - speeds[b]);
  const [slow, fast] = [order[0], order[order.length - 1]];
  expect(speeds[fast] === speeds[slow] || colours.sums[fast] > colours.sums[slow], 'the fastest point is lighter than the slowest');
}
const plain = (await screenshot('speed')).data;
await page.keyboard.press('w');
const wired = (await screenshot('wire')).data;
let changed = 0;
for (let i = 0; i < plain.length; i += 4) changed += plain[i] !== wired[i] || plain[i + 1] !== wired[i + 1] ? 1 : 0;
expect(changed > 200, 'W draws the wireframe');
await page.keyboard.press('d');
const light = await page.evaluate(() => document.documentElement.dataset.theme);
const image = await screenshot('theme');
expect((light === 'light') === (image.data[4 * (8 * image.width + 8)] > 128), `D changes to the ${light} theme, and the view follows`);

expect(errors.length === 0, `no errors (${errors.join('; ')})`);
expect(dialogs === 0, 'no name was run as a script');
expect(asked.length === 0, `nothing was asked of the network (${asked.join(' ')})`);
await browser.close();
console.log(failures.length ? `${failures.length} failed` : 'all good');
process.exit(failures.length ? 1 : 0);
