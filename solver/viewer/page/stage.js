// Draws the runs: side by side in cells that share one camera, or all in one.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { css, rampColour, runColour } from './colours.js';
import { colliderObject, placeCollider } from './colliders.js';
import { splitAtCreases } from './creases.js';
import { placeShadow, shadowObject } from './shadow.js';

const linear = (colour) => {
  const c = Array.isArray(colour) ? new THREE.Color().setRGB(...colour.map((x) => x / 255), THREE.SRGBColorSpace)
                                  : new THREE.Color(colour);
  return [c.r, c.g, c.b];
};
const ramp = Array.from({ length: 256 }, (_, i) => linear(rampColour(i / 255)));

/// What is drawn of one run: `shape` is the run itself, or its tets, which are drawn with facets.
class RunView {
  constructor(run, shape = run) {
    this.run = run;
    this.shape = shape;
    this.group = new THREE.Group();
    this.geometry = new THREE.BufferGeometry();
    this.faceted = shape !== run;
    const { sources, triangles } = splitAtCreases(shape.positions(0), this.faceted ? [] : shape.triangles);
    this.sources = sources;
    const count = sources.length;
    this.position = new THREE.BufferAttribute(new Float32Array(3 * count), 3);
    this.colour = new THREE.BufferAttribute(new Float32Array(3 * count), 3);
    this.geometry.setAttribute('position', this.position);
    this.geometry.setAttribute('color', this.colour);
    const parts = new THREE.Group();
    if (shape.triangles.length) {
      this.geometry.setIndex(new THREE.BufferAttribute(this.faceted ? shape.triangles : triangles, 1));
      this.surface = new THREE.Mesh(this.geometry, new THREE.MeshLambertMaterial(
          { vertexColors: true, side: THREE.DoubleSide, flatShading: this.faceted, polygonOffset: true,
            polygonOffsetFactor: 1, polygonOffsetUnits: 1 }));
      this.wire = new THREE.Mesh(this.geometry, new THREE.MeshBasicMaterial(
          { wireframe: true, transparent: true, opacity: 0.35 }));
      this.wire.visible = false;
      parts.add(this.surface, this.wire);
    }
    const shares = { position: this.position, color: this.colour };
    if (shape.lines.length) {
      const lines = new THREE.BufferGeometry();
      Object.entries(shares).forEach(([name, attribute]) => lines.setAttribute(name, attribute));
      lines.setIndex(new THREE.BufferAttribute(shape.lines, 1));
      parts.add(new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ vertexColors: true })));
    }
    if (!shape.triangles.length && !shape.lines.length) {
      parts.add(new THREE.Points(this.geometry, new THREE.PointsMaterial(
          { vertexColors: true, size: 3, sizeAttenuation: false })));
    }
    parts.traverse((part) => { part.frustumCulled = false; });
    this.colliders = new THREE.Group();
    const [low, high] = run.bounds().map((corner) => new THREE.Vector3(...corner));
    const ground = { middle: low.clone().add(high).divideScalar(2), extent: 4 * high.distanceTo(low) };
    run.about.colliders.forEach((collider) => this.colliders.add(colliderObject(collider, ground)));
    this.shadows = new THREE.Group();
    this.planes = this.surface ? run.about.colliders.filter((collider) => collider.shape === 'plane') : [];
    this.planes.forEach(() => this.shadows.add(shadowObject(this.geometry)));
    this.group.add(parts, this.colliders, this.shadows);
  }

  show(frame, quantity, range) {
    this.frame = frame;
    const points = this.shape.positions(frame);
    this.position.array.set(points);
    this.repeat(this.position.array, points.length);
    this.position.needsUpdate = true;
    this.paint(quantity, range);
    if (this.surface && !this.faceted) this.geometry.computeVertexNormals();
    this.colliders.children.forEach((object, i) => placeCollider(object, this.run.about.colliders[i], frame));
    this.planes.forEach((plane, i) => placeShadow(this.shadows.children[i], plane, frame));
  }

  /// What was added at creases takes the values of its point.
  repeat(values, begin) {
    for (let i = begin; i < values.length; ++i) values[i] = values[3 * this.sources[Math.floor(i / 3)] + i % 3];
  }

  /// By a quantity whose colours span `range`, or in the run's own colour.
  paint(quantity, range) {
    const out = this.colour.array;
    const q = quantity === null ? -1 : this.shape.about.quantities.findIndex((one) => one.name === quantity);
    if (q < 0) {
      const own = linear(runColour(this.run.index));
      for (let i = 0; i < out.length; i += 3) out.set(own, i);
    } else {
      const { levels, ranges } = this.shape.frames[this.frame];
      const [low, high] = ranges[q];
      const lookup = Array.from({ length: 256 }, (_, level) => {
        const value = low + level / 255 * (high - low);
        const share = range[1] > range[0] ? (value - range[0]) / (range[1] - range[0]) : 0;
        return ramp[Math.round(255 * Math.min(Math.max(share, 0), 1))];
      });
      levels[q].forEach((level, i) => out.set(lookup[level], 3 * i));
      this.repeat(out, 3 * levels[q].length);
    }
    this.colour.needsUpdate = true;
  }
}

/// Where z is up, as in Blender, scenes fall along it; all others have y up.
function up(runs) {
  const [x, y, z] = runs[0].about.scene?.gravity ?? [0, -9.81, 0];
  return -z > Math.abs(x) && -z > Math.abs(y) ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(0, 1, 0);
}

export class Stage {
  constructor(canvas, labels, runs) {
    this.canvas = canvas;
    this.labels = labels;
    this.runs = runs;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, stencil: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setScissorTest(true);
    this.camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
    this.camera.up.copy(up(runs));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.ask());
    this.scene = new THREE.Scene();
    this.light = new THREE.DirectionalLight(0xffffff, 2.2);
    const sky = new THREE.HemisphereLight(0xffffff, 0x777788, 1.4);
    sky.position.copy(this.camera.up);
    this.scene.add(sky, this.light, this.light.target);
    this.skins = runs.map((run) => new RunView(run));
    this.tets = runs.map((run, i) => run.tets ? new RunView(run, run.tets) : this.skins[i]);
    for (const view of this.everyView()) this.scene.add(view.group);
    this.setTets(false);
    this.overlaid = false;
    this.quantity = null;
    this.ranges = {};
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.theme();
    this.resize();
    this.fit();
  }

  /// The range that a quantity's colours span: that of all runs, or of the frames that are shown.
  range(quantity) {
    if (this.byFrame) return this.frameRange(quantity);
    if (!this.ranges[quantity]) {
      const all = this.runs.flatMap((run) => run.ranges.filter((_, q) => run.about.quantities[q].name === quantity));
      this.ranges[quantity] = [Math.min(...all.map((r) => r[0])), Math.max(...all.map((r) => r[1]))];
    }
    return this.ranges[quantity];
  }

  frameRange(quantity) {
    let [least, most] = [Infinity, -Infinity];
    for (const { shape, frame } of this.views.filter((view) => view.run.visible && view.frame !== undefined)) {
      const q = shape.about.quantities.findIndex((one) => one.name === quantity);
      if (q < 0) continue;
      const { levels, ranges: { [q]: [low, high] } } = shape.frames[frame];
      const ends = levels[q].reduce(([a, b], level) => [Math.min(a, level), Math.max(b, level)], [255, 0]);
      [least, most] = [Math.min(least, low + ends[0] / 255 * (high - low)), Math.max(most, low + ends[1] / 255 * (high - low))];
    }
    return least <= most ? [least, most] : [0, 0];
  }

  /// Shows the frames that belong to `time`.
  show(time) {
    let changed = false;
    for (const view of this.views) {
      const frame = view.shape.frameAt(time);
      if (view.run.visible && frame >= 0 && frame !== view.frame) {
        view.show(frame, this.quantity, this.quantity && this.range(this.quantity));
        changed = true;
      }
    }
    if (changed && this.byFrame && this.quantity) this.paint(this.quantity);
    this.ask();
  }

  paint(quantity) {
    this.quantity = quantity;
    for (const view of this.views) if (view.frame !== undefined) view.paint(quantity, quantity && this.range(quantity));
    this.ask();
  }

  /// Tets, of the runs that have them cached, in the place of their skins.
  setTets(on) {
    for (const view of this.everyView()) view.group.visible = false;
    this.views = on ? this.tets : this.skins;
    for (const view of this.views) view.frame = undefined;
  }

  everyView() { return [...new Set([...this.skins, ...this.tets])]; }

  setWire(on) {
    for (const view of this.everyView()) if (view.wire) view.wire.visible = on;
    this.ask();
  }
  setColliders(on) {
    for (const view of this.everyView()) view.colliders.visible = view.shadows.visible = on;
    this.ask();
  }

  theme() {
    this.back = new THREE.Color(css('--back'));
    const ink = new THREE.Color(css('--text'));
    for (const view of this.everyView()) {
      if (view.wire) view.wire.material.color = new THREE.Color(css('--back'));
      view.colliders.traverse((part) => { if (part.material) part.material.color = ink; });
      view.shadows.children.forEach(({ material }) => { material.opacity = this.back.getHSL({}).l < 0.5 ? 0.5 : 0.22; });
    }
    this.ask();
  }

  /// Everything in view, seen from `direction`, which is given with y up.
  fit(direction = [0.45, 0.3, 1]) {
    const box = new THREE.Box3();
    for (const run of this.runs.filter((r) => r.visible)) {
      const [low, high] = run.bounds();
      box.expandByPoint(new THREE.Vector3(...low));
      box.expandByPoint(new THREE.Vector3(...high));
    }
    if (box.isEmpty()) return;
    const middle = box.getCenter(new THREE.Vector3());
    const radius = Math.max(0.5 * box.getSize(new THREE.Vector3()).length(), 1e-6);
    const [, , width, height] = this.cells()[0]?.cell ?? [0, 0, 1, 1];
    const narrow = Math.min(1, width / height);
    const distance = 0.9 * radius / Math.sin(this.camera.fov * Math.PI / 360) / narrow;
    this.camera.near = distance / 500;
    this.camera.far = distance * 50;
    const from = new THREE.Vector3(...direction).normalize();
    if (this.camera.up.z) from.set(from.x, -from.z, from.y);
    this.camera.position.copy(middle).addScaledVector(from, distance);
    this.controls.target.copy(middle);
    this.controls.update();
    this.ask();
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas.parentElement;
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.ask();
  }

  /// The views that are drawn and where: [left, top, width, height] in CSS pixels.
  cells() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    const shown = this.views.filter((view) => view.run.visible);
    if (this.overlaid || shown.length < 2) return shown.length ? [{ views: shown, cell: [0, 0, width, height] }] : [];
    const columns = Math.min(shown.length, Math.max(1, Math.round(Math.sqrt(shown.length * width / height))));
    const rows = Math.ceil(shown.length / columns);
    return shown.map((view, i) => ({ views: [view], cell: [
      (i % columns) * width / columns, Math.floor(i / columns) * height / rows, width / columns, height / rows] }));
  }

  /// Draws with the next picture of the browser, once however often it is asked.
  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
    });
  }

  draw() {
    const height = this.canvas.parentElement.clientHeight;
    const cells = this.cells();
    this.light.position.copy(this.camera.position).addScaledVector(
        this.camera.up, this.camera.position.distanceTo(this.controls.target));
    this.light.target.position.copy(this.controls.target);
    this.renderer.setClearColor(this.back);
    this.renderer.setScissor(0, 0, this.canvas.parentElement.clientWidth, height);
    this.renderer.clear();
    for (const { views, cell: [x, y, w, h] } of cells) {
      this.views.forEach((view) => { view.group.visible = views.includes(view); });
      this.camera.aspect = w / h;
      this.camera.updateProjectionMatrix();
      this.renderer.setViewport(x, height - y - h, w, h);
      this.renderer.setScissor(x, height - y - h, w, h);
      this.renderer.render(this.scene, this.camera);
    }
    this.label(cells);
    this.drawn = (this.drawn ?? 0) + 1;
  }

  label(cells) {
    const wanted = this.overlaid || cells.length < 2 ? [] : cells;
    while (this.labels.children.length > wanted.length) this.labels.lastChild.remove();
    wanted.forEach(({ views, cell: [x, y, w] }, i) => {
      const label = this.labels.children[i] ?? this.labels.appendChild(document.createElement('div'));
      label.textContent = views[0].run.label;
      Object.assign(label.style, { left: `${x + 8}px`, top: `${y + 8}px`, maxWidth: `${w - 16}px` });
    });
  }
}
