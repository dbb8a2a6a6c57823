// Drives a page of `verve view` in Chromium and compares what it draws with the geometry that it should show.
// The npm packages are those of package.json, installed in the folder $VERVE_NPM.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const modules = createRequire(join(resolve(process.env.VERVE_NPM ?? '.'), 'node_modules', 'x.js'));
const { chromium } = modules('playwright-core');
const { PNG } = modules('pngjs');

const failures = [];
export function expect(good, what) {
  console.log(`${good ? 'ok  ' : 'FAIL'} ${what}`);
  if (!good) failures.push(what);
}

/// 1 where a triangle covers the middle of a pixel of the cell [left, top, width, height].
function rasterise({ points, triangles }, matrix, [left, top, width, height], mask, wide) {
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
        if (u >= 0 && v >= 0 && u + v <= 1) mask[(y + top) * wide + x + left] = 1;
      }
    }
  }
}

export const readTruth = (file) => JSON.parse(readFileSync(file));
export const differ = (a, b) => a.reduce((sum, x, i) => sum + (x !== b[i] ? 1 : 0), 0);

export class DrivenPage {
  static async open(file, shots) {
    const driven = new DrivenPage();
    driven.shots = shots;
    driven.browser = await chromium.launch({
      executablePath: process.env.VERVE_CHROMIUM ?? '/usr/bin/chromium', headless: true,
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
             '--disable-background-networking', '--disable-component-update', '--disable-sync', '--use-angle=swiftshader',
             '--enable-unsafe-swiftshader']
    });
    const page = await driven.browser.newPage({ viewport: { width: 1280, height: 720 } });
    driven.page = page;
    driven.errors = [];
    driven.dialogs = 0;
    driven.asked = [];
    page.on('pageerror', (error) => driven.errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && driven.errors.push(message.text()));
    page.on('dialog', (dialog) => { ++driven.dialogs; dialog.dismiss(); });
    page.on('request', (request) => /^(file|data|blob):/.test(request.url()) || driven.asked.push(request.url()));
    await page.goto(pathToFileURL(resolve(file)).href);
    await page.waitForFunction(() => window.verve);
    await page.evaluate(() => window.verve.complete);
    return driven;
  }

  press(key) { return this.page.keyboard.press(key); }
  frame() { return this.page.evaluate(() => window.verve.frame); }

  /// Until the browser has drawn what was asked for.
  settle() {
    return this.page.evaluate(() => new Promise((done) => {
      const after = (pictures) => pictures ? requestAnimationFrame(() => after(pictures - 1)) : done();
      after(3);
    }));
  }

  async screenshot(name) {
    await this.settle();
    const bytes = await this.page.locator('#stage').screenshot();
    if (this.shots) writeFileSync(join(this.shots, `${name}.png`), bytes);
    return PNG.sync.read(bytes);
  }

  /// Pixels that are not the background.
  async drawnMask(name) {
    const image = await this.screenshot(name);
    const corner = 4 * (image.width * (image.height - 8) + 8);
    const back = [...image.data.slice(corner, corner + 3)];
    const mask = new Uint8Array(image.width * image.height);
    for (let i = 0; i < mask.length; ++i) {
      mask[i] = Math.max(...back.map((c, k) => Math.abs(image.data[4 * i + k] - c))) > 24 ? 1 : 0;
    }
    return { image, mask };
  }

  /// The picture against the frames of these runs, each in its cell: they must agree except along the outline, which
  /// antialiasing and 16 bits of position move by less than a pixel. Comes back with what is drawn.
  async compare(name, truths) {
    const number = await this.frame();
    const { image, mask } = await this.drawnMask(name);
    const { matrix, cells } = await this.page.evaluate(() => {
      const { camera } = window.verve.stage;
      camera.updateMatrixWorld();
      const all = window.verve.stage.cells();
      return { matrix: camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse).elements.slice(),
               cells: window.verve.runs.map((run) => all.find(({ views }) => views.some((view) => view.run === run)).cell) };
    });
    const wanted = new Uint8Array(mask.length);
    truths.forEach((truth, i) => rasterise(truth[number], matrix, cells[i].map(Math.round), wanted, image.width));
    const labels = truths.length > 1 ? 36 : 0;  // they cover the top of every cell
    const margin = 3;                           // the lines around the stage
    let both = 0, either = 0, outline = 0;
    for (let i = 0; i < mask.length; ++i) {
      const [x, y] = [i % image.width, Math.floor(i / image.width)];
      if (Math.min(x, y, image.width - 1 - x, image.height - 1 - y) < margin) continue;
      if (cells.some(([, top]) => y >= top && y < top + labels)) continue;
      both += mask[i] & wanted[i];
      either += mask[i] | wanted[i];
      outline += wanted[i] && !(wanted[i - 1] && wanted[i + 1] && wanted[i - image.width] && wanted[i + image.width]) ? 1 : 0;
    }
    expect(both > 500 && either - both <= outline,
           `${name}: frame ${number} is where the cache has it (${both} pixels shared, ${either - both} differ, outline ${outline})`);
    return mask;
  }

  /// The file that `act` makes the page offer.
  async saved(act) {
    const [offered] = await Promise.all([this.page.waitForEvent('download', { timeout: 60000 }), act()]);
    return { name: offered.suggestedFilename(), bytes: readFileSync(await offered.path()) };
  }

  async close() {
    expect(this.errors.length === 0, `no errors (${this.errors.join('; ')})`);
    expect(this.dialogs === 0, 'no name was run as a script');
    expect(this.asked.length === 0, `nothing was asked of the network (${this.asked.join(' ')})`);
    await this.browser.close();
    console.log(failures.length ? `${failures.length} failed` : 'all good');
    process.exit(failures.length ? 1 : 0);
  }
}
