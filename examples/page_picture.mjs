// A page of `verve view` as a picture:  node page_picture.mjs PAGE.html PICTURE.png FRAME [COLOUR]
import { DrivenPage } from '../tests/clients/driven_page.mjs';

const [pageFile, picture, frame, colour] = process.argv.slice(2);
const driven = await DrivenPage.open(pageFile);
await driven.page.setViewportSize({ width: 900, height: 420 });
await driven.page.evaluate(([to, by]) => {
  if (document.documentElement.dataset.theme === 'dark') document.getElementById('theme').click();
  document.getElementById('plots').click();
  const scrub = document.getElementById('scrub');
  scrub.value = to;
  scrub.dispatchEvent(new Event('input'));
  const select = document.getElementById('colour');
  select.value = by;
  select.dispatchEvent(new Event('change'));
}, [frame, colour ?? '']);
await driven.settle();
await driven.press('f');
await driven.settle();
await driven.page.screenshot({ path: picture, clip: { x: 0, y: 0, width: 900, height: 370 } });
await driven.browser.close();
