// Opens a page of `verve view` in Chromium, plays and scrubs it, and compares screenshots with the geometry of the cache.
//
//   node check_page.mjs PAGE.html FRAMES.json [FOLDER for the screenshots]
// FRAMES.json: { "<frame>": { "points": [x, y, z, ...], "triangles": [a, b, c, ...], "speed": [...] }, ... }, as the cache has
// them: they are drawn here by a rasteriser of our own with the camera that the page says it used. Exits 1 if they differ.
import { differ, DrivenPage, expect, readTruth } from './driven_page.mjs';

const [pageFile, framesFile, shots] = process.argv.slice(2);
const truth = readTruth(framesFile);
const page = await DrivenPage.open(pageFile, shots);

// Only the body against the background.
await page.page.evaluate(() => document.activeElement.blur());
const numbers = Object.keys(truth).map(Number).sort((a, b) => a - b);
const [first, last] = [numbers[0], numbers[numbers.length - 1]];
if (await page.page.locator('#colliders').isVisible()) {
  const shown = (await page.drawnMask('colliders')).mask;
  await page.press('k');
  expect(differ(shown, (await page.drawnMask('no-colliders')).mask) > 500, 'colliders are drawn, and K hides them');
}
expect(await page.frame() === first, `it opens at the first frame, ${first}`);
const atFirst = await page.compare('first', [truth]);

await page.press('End');
expect(await page.frame() === last, 'End goes to the last frame');
const atLast = await page.compare('last', [truth]);
expect(differ(atFirst, atLast) > 500, 'the first and the last frame look different');

await page.press('Home');
for (let i = 0; i < 3; ++i) await page.press('ArrowRight');
expect(await page.frame() === first + 3, 'the arrow keys step by a frame');
await page.compare('stepped', [truth]);

// Scrubbing with the mouse.
const slider = await page.page.locator('#scrub').boundingBox();
await page.page.mouse.click(slider.x + slider.width / 2, slider.y + slider.height / 2);
const middle = await page.frame();
expect(Math.abs(middle - (first + last) / 2) <= 2, `a click in the middle of the slider goes to frame ${middle}`);
await page.compare('scrubbed', [truth]);
await page.page.locator('#scrub').evaluate((element) => element.blur());

// Orbiting.
const stage = await page.page.locator('#stage').boundingBox();
const before = await page.drawnMask('before-orbit');
await page.page.mouse.move(stage.x + stage.width / 2, stage.y + stage.height / 2);
await page.page.mouse.down();
await page.page.mouse.move(stage.x + stage.width / 2 + 180, stage.y + stage.height / 2 - 40, { steps: 5 });
await page.page.mouse.up();
await page.settle();
const turned = await page.compare('orbited', [truth]);
expect(differ(before.mask, turned) > 200, 'dragging turns the view');
await page.press('f');

// Playing.
await page.press('Home');
await page.press(' ');
await page.page.waitForFunction((from) => window.verve.frame > from + 2, first);
expect(await page.page.evaluate(() => window.verve.playing), 'space plays');
await page.press(' ');
expect(!(await page.page.evaluate(() => window.verve.playing)), 'space stops');
const stoppedAt = await page.frame();
expect(stoppedAt > first + 2 && truth[stoppedAt] !== undefined, `it stopped at frame ${stoppedAt}`);
await page.compare('played', [truth]);

// The plot's mark goes with the frame, and a click in the plot goes to a frame.
const mark = () => page.page.evaluate(() => parseFloat(window.verve.plots[0].mark.style.left));
await page.press('Home');
const markFirst = await mark();
await page.press('End');
const markLast = await mark();
expect(markLast > markFirst + 50, 'the mark in the energy plot goes with the frame');
const over = await page.page.locator('#energy .u-over').boundingBox();
await page.page.mouse.click(over.x + over.width / 2, over.y + over.height / 2);
expect(Math.abs(await page.frame() - (first + last) / 2) <= 2, 'a click in the plot goes to its frame');
const legend = await page.page.evaluate(() => {
  const { plot, choice } = window.verve.plots[0];
  const at = plot.data[0].indexOf(window.verve.frame);
  return choice.series.map(({ run, column }, i) => [plot.data[i + 1][at], run.about.report[column][at]]);
});
expect(legend.length > 0 && legend.every(([shown, reported]) => shown === reported), 'the plot shows what report.csv says');

// Colours: fast points are light, slow ones dark, as the cache has them.
await page.press('c');
const chosen = await page.page.locator('#colour').inputValue();
expect(chosen === 'speed', `C colours by speed first (${chosen})`);
const colours = await page.page.evaluate(() => {
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
const plain = (await page.screenshot('speed')).data;
await page.press('w');
const wired = (await page.screenshot('wire')).data;
let changed = 0;
for (let i = 0; i < plain.length; i += 4) changed += plain[i] !== wired[i] || plain[i + 1] !== wired[i + 1] ? 1 : 0;
expect(changed > 200, 'W draws the wireframe');
await page.press('d');
const light = await page.page.evaluate(() => document.documentElement.dataset.theme);
const image = await page.screenshot('theme');
expect((light === 'light') === (image.data[4 * (image.width * (image.height - 8) + 8)] > 128), `D changes to the ${light} theme, and the view follows`);

// Colours that span the frame reach from its slowest to its fastest point.
const legend2 = () => page.page.evaluate(() => window.verve.stage.range('speed'));
await page.press('Home');
const ofRun = await legend2();
await page.press('r');
const ofFrame = await legend2();
const atHome = truth[first].speed;
const level = (ofRun[1] - ofRun[0]) / 255;  // a block's speeds are stored as bytes; its range lies within the run's
expect(Math.abs(ofFrame[0] - Math.min(...atHome)) <= level && Math.abs(ofFrame[1] - Math.max(...atHome)) <= level &&
       ofFrame[1] < ofRun[1], `R spans the frame's speeds (${ofFrame.map((x) => x.toFixed(2))} of ${ofRun.map((x) => x.toFixed(2))})`);
await page.press('r');
await page.press('w');

// The box is smooth but for its edges: 24 points inside of them are drawn twice, 8 corners three times.
const vertices = await page.page.evaluate(() => window.verve.stage.views.map(({ run, sources }) => [run.about.points, sources.length])[0]);
if (vertices[0] === 56) expect(vertices[1] === 56 + 40, `creases split ${vertices[1] - vertices[0]} vertices off`);
else expect(vertices[1] >= vertices[0], 'no point is lost at creases');

// Cameras.
await page.press('End');
const looks = {};
for (let i = 0; i < 5; ++i) {
  await page.press('g');
  const name = await page.page.locator('#camera').inputValue();
  if (name) await page.compare(`camera ${name}`, [truth]);
  looks[name] = await page.page.evaluate(() => window.verve.stage.camera.position.clone()
      .sub(window.verve.stage.controls.target).normalize().toArray());
}
expect(looks.front[2] > 0.99 && looks.side[0] > 0.99 && looks.top[1] > 0.99, 'G looks from the front, the side and the top');

// Shadows lie on the floor; in flight they are beside the body.
await page.press('f');
await page.press('Home');
await page.press('k');
const shadows = await page.page.evaluate(() => window.verve.stage.views[0].shadows.children.map((one) => one.visible));
expect(shadows.length === 1 && shadows[0], 'the floor has a shadow on it');
const shadowed = (await page.screenshot('shadow')).data;
await page.page.evaluate(() => { window.verve.stage.views[0].shadows.visible = false; window.verve.stage.ask(); });
const unshadowed = (await page.screenshot('without')).data;
let darker = 0;
for (let i = 0; i < shadowed.length; i += 4) darker += shadowed[i] < unshadowed[i] - 4 ? 1 : 0;
expect(darker > 300, `the shadow darkens the floor (${darker} pixels)`);

// Saving.
const png = await page.saved(() => page.press('s'));
expect(png.name.endsWith('.png') && png.bytes.subarray(1, 4).toString() === 'PNG' && png.bytes.length > 3000, `S saves a picture, ${png.name}`);
const webm = await page.saved(() => page.press('v'));
expect(webm.name.endsWith('.webm') && webm.bytes.readUInt32BE(0) === 0x1a45dfa3 && webm.bytes.length > 5000,
       `V saves a video, ${webm.name}, ${webm.bytes.length} bytes`);

// On a telephone.
await page.page.setViewportSize({ width: 420, height: 800 });
await page.screenshot('narrow');
const outside = await page.page.evaluate(() => [...document.querySelectorAll('button, select, input, output')]
    .filter((one) => one.offsetParent && !one.closest('dialog'))
    .filter((one) => { const box = one.getBoundingClientRect(); return box.right > 421 || box.left < -1 || box.bottom > 801; }).map((one) => one.id));
const stageSize = await page.page.locator('#stage').boundingBox();
expect(outside.length === 0 && stageSize.height > 200, `at 420 pixels nothing is cut off (${outside}), the view is ${stageSize.height} high`);

await page.close();
