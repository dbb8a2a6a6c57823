// The energy plot of a page, as a picture:  node energy_picture.mjs PAGE.html PLOT.png
import { DrivenPage } from '../tests/clients/driven_page.mjs';

const [pageFile, picture] = process.argv.slice(2);
const { page, browser } = await DrivenPage.open(pageFile);
await page.setViewportSize({ width: 1000, height: 700 });
await page.evaluate(() => {
  if (document.documentElement.dataset.theme === 'dark') document.getElementById('theme').click();
  document.getElementById('panel').style.width = '760px';
  document.getElementById('plot-energy').style.appearance = 'none';  // a heading rather than a menu
});
await page.keyboard.press('End');
await page.waitForTimeout(300);
await page.locator('.plot').first().screenshot({ path: picture });
await browser.close();
