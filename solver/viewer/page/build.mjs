// Makes one HTML file of the page's parts and writes it as a C++ source.
//   node build.mjs PAGE.cpp       with three, uplot and esbuild in the node_modules of the present folder
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = dirname(fileURLToPath(import.meta.url));
const modules = join(process.cwd(), 'node_modules');
const { build } = createRequire(join(modules, 'x.js'))('esbuild');

const bundle = await build({
  entryPoints: [join(source, 'main.js')], bundle: true, minify: true, write: false, outdir: 'out', format: 'esm',
  charset: 'ascii', nodePaths: [modules], legalComments: 'inline', logLevel: 'warning'
});
const part = (ending) => bundle.outputFiles.find((file) => file.path.endsWith(ending)).text.trim();
const page = readFileSync(join(source, 'index.html'), 'utf8')
    .replace('<!-- STYLE -->', () => `<style>\n${part('.css')}\n</style>`)
    .replace('<!-- SCRIPT -->', () => `<script type="module">\n${part('.js')}\n</script>`);

const quote = 'VERVE_PAGE';
if (page.includes(`)${quote}"`)) throw new Error('the page holds the mark that ends it');
// A literal may be too long for a compiler: pieces are joined by it.
const pieces = page.match(/[^]{1,15000}/g).map((piece) => `R"${quote}(${piece})${quote}"`);
writeFileSync(process.argv[2], `#include "viewer/Page.h"\nconst char verve::page_template[] =\n${pieces.join('\n')};\n`);
