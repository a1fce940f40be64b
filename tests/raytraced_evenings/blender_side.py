"""Blender's side: builds a table of the generator with what an evening adds to it.

``blender -b -P blender_side.py -- RENDER_PY JOB`` where RENDER_PY is the generator's own. Things of the job's clutter
with a ``seed`` are made here; figures may have ``chips``, ``lean`` and ``fallen``, with the direction
in which they lie. Everything is in millimetres: x right, y to the
near edge, height up.
"""

import importlib.util
import json
import math
import random
import sys

import bmesh
import bpy
from mathutils import Matrix, Vector

RIM_TOP_MM, PAINT_MM = 3.0, 0.04


def load_render(path):
    """Return the generator's module. It renders the arguments after ``--``, so there must be none meanwhile."""
    kept, sys.argv = sys.argv, ["render.py", "--"]
    spec = importlib.util.spec_from_file_location("render", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.argv = kept
    return module


class Evening:
    """Adds things, chips and leaning bodies by the means of the generator's module."""

    def __init__(self, render):
        self.render, self.plain_figure, self.plain_clutter = render, render.add_figure, render.add_clutter
        render.add_figure, render.add_clutter = self.add_figure, self.add_clutter

    def add_figure(self, figure, cache):
        before = set(bpy.data.objects)
        self.plain_figure(figure, cache)
        body = next(o for o in bpy.data.objects if o not in before and o.data is cache[figure["kind"]][0])
        if "lean" in figure:
            tilt, towards = (math.radians(angle) for angle in figure["lean"])
            axis = Vector((-math.sin(towards), math.cos(towards), 0))
            foot = body.matrix_world.translation.copy()
            body.matrix_world = (
                Matrix.Translation(foot)
                @ Matrix.Rotation(tilt, 4, axis)
                @ Matrix.Translation(-foot)
                @ body.matrix_world
            )
        if "fallen" in figure:
            self.tip_over(figure, [o for o in bpy.data.objects if o not in before])
        for chip in figure.get("chips", ()):
            self.add_chip(figure, chip)

    def tip_over(self, figure, parts):
        """Turn a figure over the rim of its base until its body touches the ground."""
        towards = math.radians(figure["fallen"]["towards_deg"])
        way, up = Vector((math.cos(towards), -math.sin(towards), 0)), Vector((0, 0, 1))
        foot = parts[0].matrix_world.translation.copy()
        foot.z = self.render.W(0, 0, figure["z"]).z
        edge = foot + way * (figure["base"][0] / 2 * self.render.S)
        base, body = sorted(parts, key=lambda o: o.matrix_world.translation.z)
        bpy.context.view_layer.update()
        corners = [[o.matrix_world @ v.co - edge for v in o.data.vertices] for o in (base, body)]
        for degrees in range(60, 150):
            c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
            rim, lowest = (min(v.dot(up) * c - v.dot(way) * s for v in there) for there in corners)
            if lowest <= rim:
                break
        turn = Matrix.Rotation(math.radians(degrees), 4, up.cross(way))
        lift = Matrix.Translation(-up * min(rim, lowest))
        for part in parts:
            part.matrix_world = lift @ Matrix.Translation(edge) @ turn @ Matrix.Translation(-edge) @ part.matrix_world

    def add_chip(self, figure, chip):
        """A stretch of rim without its paint: on the top, and down the side."""
        outline = self.render.outline(figure["base"], 0)
        count = len(outline)
        first = int(chip["from"] / 360 * count)
        places = [outline[(first + n) % count] for n in range(max(2, round(chip["over"] / 360 * count)))]
        inner = [(x * k, y * k) for x, y in places for k in [1 - chip["deep"] / math.hypot(x, y)]]
        outer = [(x * k, y * k) for x, y in places for k in [1 + PAINT_MM / math.hypot(x, y)]]
        n, top = len(places), RIM_TOP_MM + PAINT_MM
        corners = [(*p, top) for p in inner] + [(*p, top) for p in outer] + [(*p, 1.2) for p in outer]
        faces = [[r + i, r + n + i, r + n + i + 1, r + i + 1] for r in (0, n) for i in range(n - 1)]
        paint = self.render.mat("bare", self.render.srgb(chip["color"]), 0.6, 0.3)
        made = self.render.obj_from(corners, faces, [paint], name="chip")
        self.render.place(made, figure["x"], figure["y"], figure["z"], figure["rot"])

    def add_clutter(self, thing):
        if "seed" not in thing:
            self.plain_clutter(thing)
            return
        for part in getattr(self, thing["kind"])(thing, random.Random(thing["seed"])):
            self.render.place(part, thing["x"], thing["y"], thing["z"], thing["rot"])

    def paint(self, color, rough=0.4, shine=0.4):
        return self.render.mat("thing", self.render.srgb(color), rough, shine)

    def metal(self, color, rough=0.3):
        made = self.paint(color, rough, 0.6)
        next(n for n in made.node_tree.nodes if n.type == "BSDF_PRINCIPLED").inputs["Metallic"].default_value = 0.85
        return made

    def glass(self, color):
        made = self.paint(color, 0.08, 0.6)
        next(n for n in made.node_tree.nodes if n.type == "BSDF_PRINCIPLED").inputs["Transmission"].default_value = 0.75
        return made

    def solid(self, points, material):
        """The hull of points, standing on its lowest face."""
        mesh = bpy.data.meshes.new("solid")
        form = bmesh.new()
        for point in points:
            form.verts.new(point)
        bmesh.ops.convex_hull(form, input=form.verts)
        form.normal_update()
        down = max(form.faces, key=lambda face: face.calc_area() - 0.001 * face.calc_center_median().z).normal
        turn = down.rotation_difference(Vector((0, 0, -1))).to_matrix()
        bmesh.ops.rotate(form, cent=(0, 0, 0), matrix=turn, verts=form.verts)
        low = min(v.co.z for v in form.verts)
        bmesh.ops.translate(form, vec=(0, 0, -low), verts=form.verts)
        form.to_mesh(mesh)
        form.free()
        mesh.materials.append(material)
        return self.linked(mesh)

    def linked(self, mesh):
        made = bpy.data.objects.new("thing", mesh)
        bpy.context.scene.collection.objects.link(made)
        return made

    def lump(self, chance, size, heights, material, rough=0.15):
        """A rounded body of uneven radius."""
        mesh = bpy.data.meshes.new("lump")
        form = bmesh.new()
        bmesh.ops.create_icosphere(form, subdivisions=3, radius=1)
        phase = [chance.uniform(0, 6.3) for _ in range(3)]
        for v in form.verts:
            swell = 1 + rough * math.sin(3 * v.co.x + phase[0]) * math.sin(3 * v.co.y + phase[1])
            v.co = (v.co.x * size[0] / 2 * swell, v.co.y * size[1] / 2 * swell, (v.co.z + 1) * heights / 2)
            v.co.z = max(0, v.co.z)
        for face in form.faces:
            face.smooth = True
        form.to_mesh(mesh)
        form.free()
        mesh.materials.append(material)
        return self.linked(mesh)

    def moved(self, part, x=0.0, y=0.0, z=0.0):
        """Shift a part's mesh; y points to the near edge."""
        part.data.transform(Matrix.Translation((x, -y, z)))
        return part

    def torus(self, wide, thick, material, z=None):
        bpy.ops.mesh.primitive_torus_add(
            major_radius=wide / 2 - thick / 2, minor_radius=thick / 2, major_segments=40, minor_segments=10
        )
        made = bpy.context.object
        made.data.materials.append(material)
        return self.moved(made, z=thick / 2 if z is None else z)

    # Things of games.

    def polyhedron(self, thing, points):
        scale = thing["size"][0] / 2
        return [self.solid([[scale * c for c in p] for p in points], self.paint(thing["color"], 0.25, 0.5))]

    def cube(self, thing, chance):
        side = thing["size"][0]
        return [self.render.box(side, side, side, [self.paint(thing["color"], 0.7, 0.2)], bevel=0.5)]

    def d6(self, thing, chance):
        side, pip = thing["size"][0], self.paint(thing["second"])
        parts = [self.render.box(side, side, side, [self.paint(thing["color"], 0.25, 0.5)], bevel=side * 0.09)]
        for x, y in chance.choice([[(0, 0)], [(-1, -1), (1, 1)], [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)]]):
            parts.append(self.moved(self.render.cyl(side * 0.09, 0.12, pip, 14), x * side / 4, y * side / 4, side))
        return parts

    def d4(self, thing, chance):
        return self.polyhedron(thing, [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)])

    def d8(self, thing, chance):
        return self.polyhedron(thing, [tuple(s * (n == k) for n in range(3)) for k in range(3) for s in (-1, 1)])

    def d10(self, thing, chance):
        ring = [(math.cos(0.2 * math.pi * n), math.sin(0.2 * math.pi * n), 0.11 * (-1) ** n) for n in range(10)]
        return self.polyhedron(thing, [*ring, (0, 0, 1), (0, 0, -1)])

    def d20(self, thing, chance):
        g = (1 + 5**0.5) / 2 / 1.9
        points = [(0, a / 1.9, b * g) for a in (-1, 1) for b in (-1, 1)]
        return self.polyhedron(thing, [p[k:] + p[:k] for p in points for k in range(3)])

    def coin(self, thing, chance):
        color = chance.choice(["#b08d45", "#8c8c8c", "#a65f3a"])
        high = chance.uniform(1.4, 2.2)
        return [
            self.render.cyl(thing["size"][0] / 2, high, self.metal(color), 48),
            self.torus(thing["size"][0], 0.7, self.metal(color), z=high),
            self.lump(chance, [thing["size"][0] * 0.6] * 2, high + 0.5, self.metal(color), 0.3),
        ]

    def token(self, thing, chance):
        wide, high = thing["size"][0], chance.uniform(1.5, 2.5)
        parts = [self.render.cyl(wide / 2, high, self.paint(thing["color"], 0.6, 0.2), 40)]
        inner = self.paint(thing["second"], 0.6, 0.2)
        parts.append(self.moved(self.render.cyl(wide * chance.uniform(0.2, 0.42), 0.06, inner, 40), z=high))
        return parts

    def gem(self, thing, chance):
        return [self.lump(chance, [thing["size"][0]] * 2, thing["size"][0] * 0.45, self.glass(thing["color"]), 0.1)]

    def chip(self, thing, chance):
        wide, high, marks = thing["size"][0], 3.2, self.paint(thing["second"])
        parts = [self.render.cyl(wide / 2, high, self.paint(thing["color"]), 48)]
        for n in range(6):
            a = n * math.pi / 3
            mark = self.render.box(wide * 0.16, wide * 0.14, 0.08, [marks])
            mark.data.transform(Matrix.Rotation(-a, 4, "Z"))
            parts.append(self.moved(mark, wide * 0.41 * math.cos(a), wide * 0.41 * math.sin(a), high))
        return parts

    def meeple(self, thing, chance):
        """Lies on its back."""
        wood, s = self.paint(thing["color"], 0.6, 0.3), thing["size"][0]
        return [
            self.moved(self.render.cyl(s * 0.2, 10, wood, 24), x=-s * 0.3),
            self.render.box(s * 0.3, s * 0.85, 10, [wood], bevel=1),
            self.moved(self.render.box(s * 0.35, s * 0.25, 10, [wood], bevel=1), x=s * 0.3, y=-s * 0.2),
            self.moved(self.render.box(s * 0.35, s * 0.25, 10, [wood], bevel=1), x=s * 0.3, y=s * 0.2),
        ]

    # Things that are none, for the fit: a network that knows many shapes expects a new one.

    def heap(self, thing, chance):
        """One to four simple bodies on and beside each other, none upright on a base."""
        wide = thing["size"][0]
        makers = [self.ball, self.drum, self.block, self.stone, self.hoop, self.rod]
        parts, count = [], chance.choice([1, 1, 2, 2, 3, 4])
        for n in range(count):
            size = wide * (chance.uniform(0.7, 1) if n == 0 else chance.uniform(0.2, 0.6))
            color = thing["color"] if n == 0 or chance.random() < 0.5 else thing["second"]
            make = chance.choices([self.paint, self.metal, self.glass], [6, 2, 1])[0]
            part = chance.choice(makers)(chance, size, make(color))
            if n:
                away, angle = chance.uniform(0, (wide - size) / 2), chance.uniform(0, 2 * math.pi)
                top = max((v.co.z for v in parts[0].data.vertices), default=0)
                self.moved(part, away * math.cos(angle), away * math.sin(angle), chance.choice([0, top * 0.9]))
            parts.append(part)
        return parts

    def ball(self, chance, size, material):
        long, high = size * chance.uniform(0.5, 1), size * chance.uniform(0.3, 0.8)
        return self.lump(chance, [size, long], min(high, 16), material, chance.uniform(0, 0.3))

    def drum(self, chance, size, material):
        """Flat as a coin or high as a bead, straight or conical."""
        high = chance.choice([chance.uniform(1, 4), size * chance.uniform(0.2, 0.7)])
        return self.render.cyl(size / 2, min(high, 14), material, 40, r2=size / 2 * chance.choice([1, 1, 0.8, 0.4]))

    def block(self, chance, size, material):
        long, high = size * chance.uniform(0.3, 0.75), size * chance.uniform(0.1, 0.6)
        return self.render.box(size * 0.75, long, min(high, 14), [material], bevel=chance.choice([0.1, 0.5, 1.0]))

    def stone(self, chance, size, material):
        """A body with flat faces."""
        points = [Vector([chance.gauss(0, 1) for _ in range(3)]).normalized() for _ in range(chance.randint(6, 20))]
        flat = chance.uniform(0.3, 0.7)
        return self.solid([(size / 2 * x, size / 2 * y, size / 2 * flat * z) for x, y, z in points], material)

    def hoop(self, chance, size, material):
        return self.torus(size, size * chance.uniform(0.06, 0.3), material)

    def rod(self, chance, size, material):
        """A lying rod."""
        radius = size * chance.uniform(0.05, 0.2)
        part = self.render.cyl(radius, size, material, 16, r2=radius * chance.choice([1, 1, 0.5, 1.5]))
        part.data.transform(Matrix.Translation((0, 0, -size / 2)))
        part.data.transform(Matrix.Rotation(math.pi / 2, 4, "Y"))
        part.data.transform(Matrix.Rotation(chance.uniform(0, math.pi), 4, "Z"))
        return self.moved(part, z=radius)

    # Things of a household.

    def cap(self, thing, chance):
        """A crown cork, painted side up or down."""
        wide, count, high = thing["size"][0], 84, 6.0
        is_up = chance.random() < 0.7
        levels = [(0.5, 0.0), (0.47, high * 0.6), (0.4, high * 0.95), (0.3, high)]
        corners = []
        for level, (share, z) in enumerate(levels):
            for n in range(count):
                wave = 1 + (0.05 * math.cos(21 * 2 * math.pi * n / count) if level == 0 else 0)
                a = 2 * math.pi * n / count
                corners.append(
                    (wide * share * wave * math.cos(a), wide * share * wave * math.sin(a), z if is_up else high - z)
                )
        faces = [
            [k * count + n, k * count + (n + 1) % count, (k + 1) * count + (n + 1) % count, (k + 1) * count + n]
            for k in range(3)
            for n in range(count)
        ]
        faces.append([3 * count + n for n in range(count)])
        parts = [self.render.obj_from(corners, faces, [self.paint(thing["color"], 0.25, 0.6)], smooth=True, name="cap")]
        if is_up:
            parts.append(self.moved(self.render.cyl(wide * 0.18, 0.06, self.paint(thing["second"]), 30), z=high))
        return parts

    def eraser(self, thing, chance):
        long, wide = thing["size"]
        white, sleeve = self.paint("#e4e2dc", 0.8, 0.1), self.paint(thing["color"], 0.5, 0.3)
        return [
            self.render.box(long, wide, 11, [white], bevel=1.5),
            self.moved(self.render.box(long * 0.6, wide * 1.02, 11.3, [sleeve], bevel=0.3), x=-long * 0.2),
        ]

    def stick(self, thing, chance):
        """A memory stick."""
        long, wide = thing["size"]
        return [
            self.moved(self.render.box(long * 0.7, wide, 8, [self.paint(thing["color"])], bevel=1), x=-long * 0.15),
            self.moved(self.render.box(long * 0.3, wide * 0.75, 4.5, [self.metal("#a8a8a8")]), x=long * 0.35, z=1.7),
        ]

    def candle(self, thing, chance):
        wide = thing["size"][0]
        return [
            self.render.cyl(wide / 2, 15, self.metal("#b5b5b5", 0.35), 48),
            self.moved(
                self.render.cyl(
                    wide / 2 - 1.2, 0.1, self.paint(chance.choice(["#efe9da", "#d8b0b0", "#e2d2a0"]), 0.5, 0.3), 40
                ),
                z=15,
            ),
            self.moved(self.render.cyl(0.7, 6, self.paint("#22201e", 0.9, 0.1), 8), z=15),
        ]

    def sweet(self, thing, chance):
        long, wide = thing["size"]
        wrap = self.paint(thing["color"], 0.15, 0.7)
        parts = [self.lump(chance, [long * 0.6, wide], wide * 0.8, wrap)]
        for side in (-1, 1):
            fan = self.render.cyl(wide * 0.12, long * 0.25, wrap, 12, r2=wide * 0.45)
            fan.data.transform(Matrix.Rotation(side * math.pi / 2, 4, "Y"))
            parts.append(self.moved(fan, x=side * long * 0.27, z=wide * 0.4))
        return parts

    def nut(self, thing, chance):
        brown = chance.choice(["#7b4a26", "#b98a55", "#5a3320", "#c8a878"])
        return [self.lump(chance, thing["size"], thing["size"][1] * 0.9, self.paint(brown, 0.55, 0.3), 0.3)]

    def key(self, thing, chance):
        long, wide = thing["size"]
        steel = self.metal(chance.choice(["#9a9a98", "#b59a55"]))
        parts = [self.moved(self.torus(wide, wide * 0.22, steel), x=-long / 2 + wide / 2)]
        parts[0].data.transform(Matrix.Scale(0.4, 4, (0, 0, 1)))
        parts.append(self.moved(self.render.box(long - wide, wide * 0.3, 2, [steel]), x=wide / 2 - 1))
        for n in range(3):
            parts.append(
                self.moved(self.render.box(2, wide * 0.2, 2, [steel]), x=long / 2 - 3 - 3.5 * n, y=wide * 0.22)
            )
        return parts

    def band(self, thing, chance):
        """A finger's ring, or one of rubber."""
        is_gold = chance.random() < 0.5
        return [
            self.torus(
                thing["size"][0],
                2.4 if is_gold else 1.3,
                self.metal("#c49a3c", 0.15) if is_gold else self.paint(thing["color"], 0.7, 0.2),
            )
        ]

    def note(self, thing, chance):
        """A sheet that sticks by one edge and curls."""
        side, count, corners = thing["size"][0], 12, []
        curl = chance.uniform(2, 9)
        for n in range(count + 1):
            along = n / count
            corners += [
                (side * (along - 0.5), -side / 2, 0.1 + curl * along**2.5),
                (side * (along - 0.5), side / 2, 0.1 + curl * along**2.5),
            ]
        faces = [[2 * n, 2 * n + 2, 2 * n + 3, 2 * n + 1] for n in range(count)]
        color = chance.choice(["#e8dc6a", "#e79ab8", "#9ad0e0", "#efe9dc"])
        return [self.render.obj_from(corners, faces, [self.paint(color, 0.9, 0.1)], smooth=True, name="note")]

    def stub(self, thing, chance):
        """A pencil."""
        long, wide = thing["size"]
        wide = min(wide, 7.5)
        parts = []
        for first, last, radii, color in (
            (-0.5, 0.3, (1, 1), thing["color"]),
            (0.3, 0.46, (1, 0.3), "#cfa97c"),
            (0.46, 0.5, (0.3, 0.05), "#2a2a2a"),
        ):
            part = self.render.cyl(
                radii[0] * wide / 2, (last - first) * long, self.paint(color), 6, r2=radii[1] * wide / 2, smooth=False
            )
            part.data.transform(Matrix.Rotation(math.pi / 2, 4, "Y"))
            parts.append(self.moved(part, x=first * long, z=wide / 2))
        return parts

    def button(self, thing, chance):
        wide, paint = thing["size"][0], self.paint(thing["color"], 0.3, 0.5)
        parts = [self.render.cyl(wide / 2, 2, paint, 40), self.torus(wide, 1.4, paint, z=2)]
        for x, y in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            parts.append(
                self.moved(
                    self.render.cyl(wide * 0.06, 0.08, self.paint("#0c0c0c"), 14), x * wide * 0.13, y * wide * 0.13, 2
                )
            )
        return parts

    def brick(self, thing, chance):
        side, paint = thing["size"][0], self.paint(thing["color"], 0.2, 0.5)
        parts = [self.render.box(side, side, side * 0.6, [paint], bevel=0.2)]
        for x, y in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            parts.append(
                self.moved(self.render.cyl(side * 0.15, side * 0.11, paint, 20), x * side / 4, y * side / 4, side * 0.6)
            )
        return parts

    def screw(self, thing, chance):
        long, wide = thing["size"]
        steel = self.metal(chance.choice(["#8f8f8d", "#b9a25a", "#3c3c3c"]))
        head = self.render.cyl(wide / 2, 2, steel, 24, r2=wide * 0.35)
        shaft = self.render.cyl(wide * 0.22, long - 2, steel, 14, r2=wide * 0.06)
        for part, x in ((head, -long / 2), (shaft, -long / 2 + 2)):
            part.data.transform(Matrix.Rotation(math.pi / 2, 4, "Y"))
            self.moved(part, x=x, z=wide * 0.3)
        return [head, shaft]


def main():
    """Build and render the one job."""
    render_path, job_path = sys.argv[sys.argv.index("--") + 1 :]
    render = load_render(render_path)
    Evening(render)
    with open(job_path, encoding="utf-8") as file:
        render.build(json.load(file))
    bpy.ops.render.render(write_still=True)


main()
