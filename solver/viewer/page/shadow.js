// Shadows of a run on its planes: its surface again, flattened along the light.
import * as THREE from 'three';

const light = new THREE.Vector3(0.35, 1, 0.25).normalize();

export function shadowObject(geometry) {
  const material = new THREE.MeshBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.22, depthWrite: false, side: THREE.DoubleSide,
    stencilWrite: true, stencilRef: 0, stencilFunc: THREE.EqualStencilFunc, stencilZPass: THREE.IncrementStencilOp });  // once a pixel
  const shadow = new THREE.Mesh(geometry, material);
  shadow.matrixAutoUpdate = false;
  shadow.frustumCulled = false;
  shadow.renderOrder = 2;
  return shadow;
}

/// Onto the plane { normal, offset } of the given pose; hidden where the light comes along it or from below.
export function placeShadow(shadow, { normal, offset, poses }, frame) {
  const pose = poses[Math.min(frame, poses.length - 1)];
  const up = new THREE.Vector3(...normal);
  const length = up.length();
  up.divideScalar(length).applyQuaternion(new THREE.Quaternion(pose[3], pose[4], pose[5], pose[6]));
  const height = offset / length + up.dot(new THREE.Vector3(pose[0], pose[1], pose[2])) + 1e-4;
  const slope = up.dot(light);
  shadow.visible = slope > 0.1;
  if (!shadow.visible) return;
  const l = light.clone().divideScalar(slope);
  shadow.matrix.set(1 - l.x * up.x, -l.x * up.y, -l.x * up.z, height * l.x,
                    -l.y * up.x, 1 - l.y * up.y, -l.y * up.z, height * l.y,
                    -l.z * up.x, -l.z * up.y, 1 - l.z * up.z, height * l.z, 0, 0, 0, 1);
}
