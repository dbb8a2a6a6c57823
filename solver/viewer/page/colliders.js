// Colliders as three.js objects.
import * as THREE from 'three';
import { unpack } from './data.js';

const material = (side) => new THREE.MeshLambertMaterial({ transparent: true, opacity: 0.22, side, depthWrite: false });

/// A grid on a faint ground, below (or above) the middle of its run.
function planeObject({ normal, offset }, { middle, extent }) {
  const up = new THREE.Vector3(...normal);
  const length = up.length();
  up.divideScalar(length);
  const ground = new THREE.Group();
  const grid = new THREE.GridHelper(extent, 24);
  grid.material = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.18, depthWrite: false });
  grid.geometry.deleteAttribute('color');
  const sheet = new THREE.Mesh(new THREE.PlaneGeometry(extent, extent).rotateX(-Math.PI / 2), material(THREE.DoubleSide));
  sheet.material.opacity = 0.1;
  ground.add(grid, sheet);
  ground.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
  ground.position.copy(middle).addScaledVector(up, offset / length - up.dot(middle));
  return ground;
}

function shapeGeometry({ shape, radius, tube, size, length }) {
  if (shape === 'sphere') return new THREE.SphereGeometry(radius, 48, 32);
  if (shape === 'box') return new THREE.BoxGeometry(...size);
  if (shape === 'capsule') return new THREE.CapsuleGeometry(radius, length, 16, 32);
  return new THREE.TorusGeometry(radius, tube, 24, 64).rotateX(Math.PI / 2);
}

function meshObject(collider) {
  const mesh = new THREE.Mesh(new THREE.BufferGeometry(), material(THREE.DoubleSide));
  mesh.material.flatShading = true;
  Promise.all([unpack(collider.points), unpack(collider.triangles)]).then(([points, triangles]) => {
    mesh.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(points.buffer), 3));
    mesh.geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(triangles.buffer), 1));
  });
  return mesh;
}

/// `ground` says how planes are cut out: around its `middle`, `extent` across.
export function colliderObject(collider, ground) {
  const object = new THREE.Group();
  object.name = collider.name;
  if (collider.points) {
    object.add(meshObject(collider));
  } else if (collider.shape === 'plane') {
    object.add(planeObject(collider, ground));
  } else {
    const part = new THREE.Mesh(shapeGeometry(collider), material(collider.inside ? THREE.BackSide : THREE.FrontSide));
    part.scale.set(...collider.scale);
    if (collider.center) part.position.set(...collider.center).multiply(part.scale);
    object.add(part);
  }
  object.traverse((part) => { part.frustumCulled = false; part.renderOrder = 1; });
  return object;
}

export function placeCollider(object, collider, frame) {
  const pose = collider.poses[Math.min(frame, collider.poses.length - 1)];
  object.position.set(pose[0], pose[1], pose[2]);
  object.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
}
