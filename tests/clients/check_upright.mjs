// Opens a page of a run that falls along z, as Blender's do: on the screen it falls downwards.
//
//   node check_upright.mjs PAGE.html FRAMES.json [FOLDER for the screenshots]      (as for check_page.mjs)
import { DrivenPage, expect, readTruth } from './driven_page.mjs';

const [pageFile, framesFile, shots] = process.argv.slice(2);
const truth = readTruth(framesFile);
const page = await DrivenPage.open(pageFile, shots);

/// The middle of what is drawn, which is where the cache has it.
async function middle(name) {
  const mask = await page.compare(name, [truth]);
  const sum = [0, 0, 0];
  mask.forEach((drawn, i) => {
    if (drawn) [i % 1280, Math.floor(i / 1280), 1].forEach((value, k) => { sum[k] += value; });
  });
  return [sum[0] / sum[2], sum[1] / sum[2]];
}

const [x, y] = await middle('first');
await page.press('End');
const [toX, toY] = await middle('last');
expect(toY - y > 50 && Math.abs(toX - x) < 0.2 * (toY - y), `it falls ${Math.round(toY - y)} pixels, ${Math.round(toX - x)} aside`);
await page.close();
