// What runs that are compared have not in common: keys of their scenes, by path.

/// Lists of numbers and of lists of numbers are one value: a place is not three differences.
const isValue = (json) => json === null || typeof json !== 'object' ||
    (Array.isArray(json) && json.every((one) => one === null || typeof one !== 'object' || (Array.isArray(one) && isValue(one))));

function flatten(json, path, out) {
  if (isValue(json)) {
    out.set(path, JSON.stringify(json));
  } else {
    for (const [key, value] of Object.entries(json)) {
      flatten(value, Array.isArray(json) ? `${path}[${key}]` : path ? `${path}.${key}` : key, out);
    }
  }
  return out;
}

/// [{ path, values }], a value (or undefined) for each run; nothing where all are alike.
export function differences(scenes) {
  const flat = scenes.map((scene) => flatten(scene ?? {}, '', new Map()));
  const paths = [...new Set(flat.flatMap((one) => [...one.keys()]))].filter((path) => path !== '');
  return paths.map((path) => ({ path, values: flat.map((one) => one.get(path)) }))
      .filter(({ values }) => values.some((value) => value !== values[0]));
}
