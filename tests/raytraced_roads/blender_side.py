"""Blender's side: builds a table of the generator and puts on it what only tables without a grid have.

``blender -b -P blender_side.py -- RENDER_PY JOB`` where RENDER_PY is the generator's own; a job is one of its jobs with
``terrain``, ``trees`` and ``marks`` besides. Everything is in millimetres: x right, y to the near edge, height up.
"""

import importlib.util
import json
import math
import random
import sys

import bpy

MARK_MM = 0.05
"""Height of paint on a rim."""


def load_render(path):
    """Return the generator's module. It renders the arguments after ``--``, so there must be none meanwhile."""
    kept, sys.argv = sys.argv, ["render.py", "--"]
    spec = importlib.util.spec_from_file_location("render", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.argv = kept
    return module


def fit_bodies(render):
    """Let the bodies of a kind stand over their base: most of each, as sculptors do."""
    add = render.add_figure

    def add_fitting(figure, cache):
        is_new = figure["kind"] not in cache
        add(figure, cache)
        if is_new:
            mesh = cache[figure["kind"]][0]
            half = [side / 2 for side in (figure["base"] * 2)[:2]]
            reach = sorted(max(abs(v.co.x) / half[0], abs(v.co.y) / half[1]) for v in mesh.vertices)
            spread = min(1.15, figure["spread"] / reach[int(0.9 * len(reach))])
            for vertex in mesh.vertices:
                vertex.co.x *= spread
                vertex.co.y *= spread

    render.add_figure = add_fitting


def clouded(render, name, colors, scale, rough):
    """Return a material of several colours in clouds, with a rough surface."""
    made = render.mat(name, render.srgb(colors[0]), rough, 0.15, bump=(scale, 0.5))
    tree = made.node_tree
    noise = tree.nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = scale * 0.35
    noise.inputs["Detail"].default_value = 6
    steps = [(0.32 + 0.36 * n / max(1, len(colors) - 1), render.srgb(color)) for n, color in enumerate(colors)]
    ramp = render.ramp(tree, steps)
    where = tree.nodes.new("ShaderNodeTexCoord")
    tree.links.new(where.outputs["Object"], noise.inputs["Vector"])
    tree.links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    tree.links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    return made


def bricked(render, piece):
    """Stone in courses."""
    made = clouded(render, piece["id"], piece["colors"], piece["scale"], 0.9)
    tree = made.node_tree
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    bricks = tree.nodes.new("ShaderNodeTexBrick")
    where = tree.nodes.new("ShaderNodeTexCoord")
    bricks.inputs["Scale"].default_value = 1.0
    bricks.inputs["Brick Width"].default_value = piece["brick_mm"] * 2
    bricks.inputs["Row Height"].default_value = piece["brick_mm"]
    bricks.inputs["Mortar Size"].default_value = 0.5
    bricks.inputs["Color1"].default_value = (1, 1, 1, 1)
    bricks.inputs["Color2"].default_value = (0.75, 0.75, 0.75, 1)
    bricks.inputs["Mortar"].default_value = (0.35, 0.33, 0.3, 1)
    tree.links.new(where.outputs["UV"], bricks.inputs["Vector"])
    mix = tree.nodes.new("ShaderNodeMixRGB")
    mix.blend_type = "MULTIPLY"
    mix.inputs["Fac"].default_value = 0.85
    tree.links.new(shader.inputs["Base Color"].links[0].from_socket, mix.inputs["Color1"])
    tree.links.new(bricks.outputs["Color"], mix.inputs["Color2"])
    tree.links.new(mix.outputs["Color"], shader.inputs["Base Color"])
    return made


def add_prism(render, piece):
    """Add an upright body over an outline; its sides use millimetres as texture coordinates. Flat pieces are raised."""
    outline, height = piece["outline"], piece["height"]
    if sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(outline, outline[1:] + outline[:1], strict=True)) > 0:
        outline = outline[::-1]  # y points to the near edge here and away from it in Blender
    count = len(outline)
    low, high = 0.0, max(height, 0.08)
    corners = [(x, -y, low) for x, y in outline] + [(x, -y, high) for x, y in outline]
    faces = [[n, (n + 1) % count, count + (n + 1) % count, count + n] for n in range(count)]
    faces.append(list(range(count, 2 * count)))
    places, along = [], 0.0
    for n in range(count):
        side = math.dist(outline[n], outline[(n + 1) % count])
        places.append([(along, low), (along + side, low), (along + side, high), (along, high)])
        along += side
    places.append([tuple(place) for place in outline])
    made = (
        bricked(render, piece)
        if piece["look"] == "bricks"
        else clouded(render, piece["id"], piece["colors"], piece["scale"], 0.95)
    )
    # The clouds of a material are measured in the object's own millimetres.
    body = render.obj_from(corners, faces, [made], uvs=places, name=piece["id"])
    render.place(body, 0, 0, 0, 0)


def add_tree(render, tree, cache):
    """A trunk and a crown of needles or leaves: layers of cones, or lumps."""
    chance = random.Random(tree["seed"])
    if not cache:
        cache["bark"] = render.mat("bark", render.srgb("#4a3826"), 0.9, 0.1)
        cache["leaves"] = [clouded(render, f"leaves-{n}", colors, 0.6, 1.0) for n, colors in enumerate(
            (["#1f3a1c", "#35592a"], ["#4a5a22", "#6b7a34"], ["#6a4a1e", "#8c6a2c"])
        )]  # fmt: skip
    high, wide = tree["height"], tree["width"]
    leaves = cache["leaves"][tree["leaves"]]
    render.place(render.cyl(1.6, high * 0.4, cache["bark"], 12, r2=1.1), tree["x"], tree["y"], 0, 0)
    if tree["is_fir"]:
        for n in range(3):
            layer = render.cyl(wide * (1 - 0.25 * n), high * 0.36, leaves, 18, r2=wide * 0.12)
            render.place(layer, tree["x"], tree["y"], high * (0.2 + 0.22 * n), chance.uniform(0, 360))
        return
    lumps = render.Prims()
    for _ in range(7):
        off = [chance.uniform(-0.5, 0.5) * wide for _ in range(2)]
        lumps.sphere((*off, high * chance.uniform(0.5, 0.8)), wide * chance.uniform(0.4, 0.6))
    mesh = lumps.finish(1.2, 1, 2.0, 2.5)
    mesh.materials.clear()
    mesh.materials.append(leaves)
    crown = bpy.data.objects.new("crown", mesh)
    bpy.context.scene.collection.objects.link(crown)
    render.place(crown, tree["x"], tree["y"], 0, 0)


def add_mark(render, mark):
    """Paint across a rim and down the side below it, where a model looks: the outline's outer and inner points."""
    paint = render.mat("mark", render.srgb(mark["color"]), 0.5, 0.3)
    outer, inner, top = mark["outer"], mark["inner"], mark["top"] + MARK_MM
    count = len(outer)
    corners = [(x, -y, top) for x, y in inner] + [(x, -y, top) for x, y in outer]
    corners += [(x, -y, top - 2.6) for x, y in outer]
    faces = [
        [row + n, row + n + 1, row + count + n + 1, row + count + n] for row in (0, count) for n in range(count - 1)
    ]
    render.place(render.obj_from(corners, faces, [paint], name="mark"), mark["x"], mark["y"], mark["z"], mark["turn"])


def main():
    """Build and renders the one job."""
    render_path, job_path = sys.argv[sys.argv.index("--") + 1 :]
    render = load_render(render_path)
    fit_bodies(render)
    with open(job_path, encoding="utf-8") as file:
        job = json.load(file)
    render.build(job)
    for piece in job["terrain"]:
        add_prism(render, piece)
    cache = {}
    for tree in job["trees"]:
        add_tree(render, tree, cache)
    for mark in job["marks"]:
        add_mark(render, mark)
    bpy.ops.render.render(write_still=True)


main()
