// The runs that `verve view` packed into this page (see PageRun.cpp, which wrote them).

const fromBase64 = (text) => {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes;
};

export async function unpack(text) {
  const stream = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/// Positions of a block's frames, as numbers on its grid: for each frame and coordinate all low bytes, then all high
/// bytes, of what is left after the two frames before (in the first frame: the point before) let one expect.
function unpackPositions(bytes, frames, points) {
  const grids = [];
  let at = 0;
  for (let f = 0; f < frames; ++f) {
    const grid = new Uint16Array(3 * points);
    const [before, earlier] = [grids[f - 1], grids[f - 2]];
    for (let k = 0; k < 3; ++k) {
      for (let i = 0, j = k, previous = 0; i < points; ++i, j += 3) {
        const folded = bytes[at + i] | (bytes[at + points + i] << 8);
        const left = (folded >> 1) ^ -(folded & 1);
        const expected = earlier ? 2 * before[j] - earlier[j] : before ? before[j] : previous;
        grid[j] = previous = (expected + left) & 65535;
      }
      at += 2 * points;
    }
    grids.push(grid);
  }
  return [grids, at];
}

function unpackQuantity(bytes, at, frames, points) {
  const levels = [];
  for (let f = 0; f < frames; ++f) {
    const now = new Uint8Array(points);
    const before = levels[f - 1];
    for (let i = 0, previous = 0; i < points; ++i) {
      now[i] = previous = (bytes[at + f * points + i] + (before ? before[i] : previous)) & 255;
    }
    levels.push(now);
  }
  return levels;
}

/// One run. `frames` fills up as blocks are unpacked: { grid, low, step, levels, ranges }; a point is at
/// low + step * grid, and quantity q has the value ranges[q][0] + levels[q] / 255 * (ranges[q][1] - ranges[q][0]).
export class Run {
  constructor(about, index) {
    Object.assign(this, { about, index, label: about.label, fps: about.fps, numbers: about.frames, frames: [] });
    this.visible = true;
    this.last = about.frames.length - 1;
    // The quantity's range over all frames: what its colours stand for.
    this.ranges = about.quantities.map((_, q) => [Math.min(...about.blocks.map((b) => b.ranges[q][0])),
                                                  Math.max(...about.blocks.map((b) => b.ranges[q][1]))]);
  }

  block(number) {
    const element = document.getElementById(`block-${this.index}-${number}`);
    const text = element.textContent;
    element.remove();
    return unpack(text);
  }

  async unpackTopology() {
    const bytes = await this.block(0);
    const all = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    this.triangles = all.subarray(0, 3 * this.about.triangles);
    this.lines = all.subarray(3 * this.about.triangles);
  }

  async unpackBlock(number) {
    const block = this.about.blocks[number];
    const bytes = await this.block(number + 1);
    const points = this.about.points;
    const [grids, end] = unpackPositions(bytes, block.frames, points);
    const levels = this.about.quantities.map(
        (_, q) => unpackQuantity(bytes, end + q * block.frames * points, block.frames, points));
    for (let f = 0; f < block.frames; ++f) {
      this.frames.push({ grid: grids[f], low: block.low, step: block.step, levels: levels.map((l) => l[f]),
                         ranges: block.ranges });
    }
  }

  /// The frame at `time` seconds after the scene's first: the last one that is there by then.
  frameAt(time) {
    const wanted = this.about.start + time * this.fps + 1e-6;
    let low = 0, high = this.last;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.numbers[middle] <= wanted) low = middle; else high = middle - 1;
    }
    return Math.min(low, this.frames.length - 1);
  }

  /// Where a frame's points are, as floats.
  positions(frame) {
    const { grid, low, step } = this.frames[frame];
    const positions = new Float32Array(grid.length);
    for (let i = 0; i < grid.length; i += 3) {
      for (let k = 0; k < 3; ++k) positions[i + k] = low[k] + step * grid[i + k];
    }
    return positions;
  }

  /// The bounds of all frames.
  bounds() {
    const low = [0, 1, 2].map((k) => Math.min(...this.about.blocks.map((b) => b.low[k])));
    const high = [0, 1, 2].map((k) => Math.max(...this.about.blocks.map((b) => b.high[k])));
    return [low, high];
  }
}

export const readAbout = () => JSON.parse(document.getElementById('about').textContent);
