"""A soft ball falls and bounces; prints where the energy is."""
import verve

scene = {
    "frames": [1, 40], "fps": 24, "damping": {"half_life": 0.5, "frequency": 3},
    "bodies": [{"name": "ball", "geometry": {"shape": "sphere", "radius": 0.3, "spacing": 0.1},
                "material": {"young": 2e4}, "transform": {"translate": [0, 1, 0]}}],
    "colliders": [{"shape": "plane"}],
}
for report in verve.run(scene, out="out/ball"):
    if report["frame"] % 8 == 0:
        print("frame %d: %.2f J of motion, %.2f J of shape, %.2f J taken by damping"
              % (report["frame"], report["kinetic"], report["elastic"], report["dissipated"]))
print("look at it: verve view out/ball")
