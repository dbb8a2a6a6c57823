// Loaded before everything else in every thread: what the browser build of OpenUSD in the npm package
// three-usdz-loader asks its page for, from the disk.
const fs = require('fs');

globalThis.location = { pathname: '/' };
globalThis.XMLHttpRequest = class {
  open(method, url) {
    this.url = url;
  }
  send() {
    const bytes = fs.readFileSync(this.url);
    this.response = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    this.status = 200;
    setTimeout(() => this.onload({}), 0);
  }
};
