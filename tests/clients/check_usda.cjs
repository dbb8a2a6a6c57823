// Opens a .usda with OpenUSD and compares the points of its mesh at every time sample with what was written.
//
// In the folder node_modules/three-usdz-loader/external (it looks for its files there):
//   NODE_OPTIONS='--require usd_in_node.cjs' node check_usda.cjs EXPECTED.json FILE.usda
// Exits 1 unless the error is zero.
const fs = require('fs');
const path = require('path');

const [expectedFile, usda] = process.argv.slice(2);
const folder = process.cwd();

async function main() {
  const load = require(path.join(folder, 'emHdBindings.js'));
  const usd = await load({ wasmBinary: fs.readFileSync(path.join(folder, 'emHdBindings.wasm')),
                           locateFile: (file) => path.join(folder, path.basename(file)) }, folder);
  await usd.ready;
  usd.FS_createPath('', 'files', true, true);
  usd.FS_createDataFile('files', 'run.usda', fs.readFileSync(usda), true, true, true);

  const points = {};
  const prim = (type, id) => new Proxy({}, {
    get: (target, name) => name === 'updatePoints' ? (p) => { points[id] = Array.from(p); } : () => {}
  });
  const driver = new usd.HdWebSyncDriver(
      { createRPrim: prim, createBPrim: prim, createSPrim: prim, CommitResources: () => {} }, '/files/run.usda');
  driver.Draw();
  const expected = JSON.parse(fs.readFileSync(expectedFile));
  const frames = Object.keys(expected).map(Number);
  const stage = driver.GetStage();
  let good = stage.GetEndTimeCode() === Math.max(...frames);
  let worst = 0;
  for (const frame of frames) {
    driver.SetTime(frame);
    driver.Draw();
    const found = points['/geometry/mesh'] || [];
    good = good && found.length === expected[frame].length;
    found.forEach((x, i) => { worst = Math.max(worst, Math.abs(x - Math.fround(expected[frame][i]))); });
  }
  console.log('largest error:', worst);
  process.exit(good && worst === 0 ? 0 : 1);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
