// Opens a page of a run whose skin and tets are cached, and switches between them.
//
//   node check_tets.mjs PAGE.html FRAMES.json [FOLDER for the screenshots]      (the tets, as for check_page.mjs)
import { differ, DrivenPage, expect, readTruth } from './driven_page.mjs';

const [pageFile, framesFile, shots] = process.argv.slice(2);
const truth = readTruth(framesFile);
const page = await DrivenPage.open(pageFile, shots);
if (await page.page.locator('#colliders').isVisible()) await page.press('k');

expect(await page.page.locator('#runs .run').count() === 0, 'the tets are no run of their own');
await page.press('End');
const skin = (await page.drawnMask('skin')).mask;
await page.press('t');
const tets = await page.compare('tets', [truth]);
expect(differ(skin, tets) > 50, 'T shows the tets, which reach out of the skin');
await page.press('Home');
await page.compare('tets at the start', [truth]);
await page.press('End');
await page.page.locator('#tets').click();
expect(differ(skin, (await page.drawnMask('skin again')).mask) < 20, 'and the skin again');
await page.close();
