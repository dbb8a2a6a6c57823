// Opens a page of two runs in Chromium: side by side, overlaid, and one alone; compares screenshots with both caches.
//
//   node check_runs.mjs PAGE.html FRAMES_A.json FRAMES_B.json [FOLDER for the screenshots]      (as for check_page.mjs)
import { differ, DrivenPage, expect, readTruth } from './driven_page.mjs';

const [pageFile, fileA, fileB, shots] = process.argv.slice(2);
const truths = [readTruth(fileA), readTruth(fileB)];
const page = await DrivenPage.open(pageFile, shots);
if (await page.page.locator('#colliders').isVisible()) await page.press('k');

await page.press('End');
const beside = await page.compare('side by side', truths);
const labels = await page.page.locator('#labels div').allTextContents();
const chips = await page.page.locator('#runs .run').allTextContents();
expect(labels.length === 2 && JSON.stringify(labels) === JSON.stringify(chips), `both runs are named (${labels.join(', ')})`);

await page.press('o');
await page.press('f');
const over = await page.compare('overlaid', truths);
expect(differ(beside, over) > 500, 'O lays them over each other');

await page.press('Home');
for (let i = 0; i < 5; ++i) await page.press('ArrowRight');
await page.compare('overlaid, stepped', truths);

await page.press('2');
const alone = await page.drawnMask('one alone');
expect(differ(over, alone.mask) > 200, '2 hides the second run');
await page.press('2');
await page.press('o');

const series = await page.page.evaluate(() => window.verve.plots[0].choice.series.map(({ run, column }) => [run.index, column]));
expect(JSON.stringify(series) === '[[0,"total"],[1,"total"]]', 'the plot compares the total energies of both');
await page.press('i');
const rows = await page.page.locator('#told-table tr').allTextContents();
expect(rows.length === 2 && rows[1] === 'bodies[0].velocity[1,0,0][-1,1,0]', `I tells what differs (${rows.join(' | ')})`);
await page.close();
