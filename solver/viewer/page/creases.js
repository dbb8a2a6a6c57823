// Smooth surfaces with sharp edges: a point is drawn as several where the surface folds there at rest.
const cosine = Math.cos(40 * Math.PI / 180);  // faces that meet at less than this are one smooth surface

function normalsOf(positions, triangles) {
  const normals = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
    const [vx, vy, vz] = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
    const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(...n) || 1;
    for (let k = 0; k < 3; ++k) normals[t + k] = n[k] / length;
  }
  return normals;
}

/// { sources, triangles }: vertex i is drawn at point sources[i]. The first vertices are the points themselves, and those that
/// were added come after them. Faces around a point are of one vertex if smooth edges join them there.
export function splitAtCreases(positions, triangles) {
  const count = positions.length / 3;
  const normals = normalsOf(positions, triangles);
  const smooth = (s, t) => normals[s] * normals[t] + normals[s + 1] * normals[t + 1] + normals[s + 2] * normals[t + 2] > cosine;
  const corners = Array.from({ length: count }, () => []);
  triangles.forEach((point, corner) => corners[point].push(corner));
  const sources = Array.from({ length: count }, (_, i) => i);
  const split = Uint32Array.from(triangles);
  for (let point = 0; point < count; ++point) {
    const left = new Set(corners[point]);
    for (let first = true; left.size; first = false) {
      const vertex = first ? point : sources.push(point) - 1;
      const todo = [left.values().next().value];
      left.delete(todo[0]);
      while (todo.length) {
        const corner = todo.pop();
        split[corner] = vertex;
        const face = corner - corner % 3;
        const others = [0, 1, 2].map((k) => triangles[face + k]).filter((p) => p !== point);
        for (const next of left) {
          const base = next - next % 3;
          const joined = [0, 1, 2].some((k) => others.includes(triangles[base + k]));
          if (!joined || !smooth(face, base)) continue;
          left.delete(next);
          todo.push(next);
        }
      }
    }
  }
  return { sources: Uint32Array.from(sources), triangles: split };
}
