"""Which folder may use which: the table that keeps dependencies one way.

tidy.py asks why_not(user, used) for every #include, proto import and dep.
A file may use its own folder and lower layers: never upward, and never a
sibling of its own level.  A new folder gets its line here first.
"""
import re

# The folders of framework/, by layer.
LAYERS = {
    "base": 0, "config": 0,
    "component": 1, "packet": 1, "memory": 1, "trace": 1,
    "condition": 2,
    "calculator": 3, "formats": 3,
    "graph_text": 4,
    "expansion": 5,
    "plan": 6, "stream": 6, "scheduler": 6,
    "policy": 7,
    "node": 8,
    "report": 9,
    "run": 10,
    "graph": 11,
    "recording": 12,
}

# Together with the files directly in framework/: the include paths that users
# know.  Above every layer, so no layer uses them.
PUBLIC_FACE = {"port", "tool", "api2", "c", "deps", "profiler",
               "stream_handler"}

# A layer that is public as it is: calculators and util/ include it directly.
PUBLIC_LAYER = "framework/formats"

# A layer of its own: files at paths that users know, which stand on calculators
# or on testing.  Nothing in framework/ or calculators/ uses them, tests apart.
UPPER_FACE = re.compile(r"framework/(api2/stream/|tool/simulation_clock)")
UPPER_FACE_USES = ("calculators", "testing")

# Headers of the public face stand on layers, by what they include.  Those that
# stand on higher ones than this run graphs, which calculators do not.
CALCULATOR_REACH = "expansion"

# gpu/ stands on the values and on calculator authoring.
GPU_MAX_LAYER = 3

# These may use everything.
FREE = {"testing", "tools", "examples", "graphs", "benchmarks", "docs"}

CUDA_HEADER = re.compile(
    r"(nvtx3/\w+|(cuda|cublas|cudnn|cufft|curand|nvrtc|nvjpeg|nvToolsExt)\w*)"
    r"\.h(pp)?|(cooperative_groups|cub|thrust)(/.*)?\.(h|cuh)")


def is_test(path):
    return re.search(r"_(test|benchmark|fuzzer)\.(h|cc|cu)$", path) is not None


def place(path):
    """(area, level) of a path from the root; level only within framework/."""
    parts = path.split("/")
    if parts[0] != "framework":
        return parts[0], None
    if len(parts) <= 2 or parts[1] in PUBLIC_FACE:
        return "framework", None
    return "framework/" + parts[1], LAYERS.get(parts[1], -1)


def _layer_why_not(user_level, area, used, used_area, used_level, test):
    if test and used.startswith("framework/port/"):
        return None
    if used_area == "framework":
        return "a layer does not use the public face above it"
    if used_level is None:
        return f"a layer of framework/ does not use {used_area}/"
    if used_area == area or used_level < user_level:
        return None
    if used_level == user_level:
        return f"sideways: {area} and {used_area} are siblings"
    return (f"upward: {area} is layer {user_level}, {used_area} is layer "
            f"{used_level}")


def _calculator_why_not(user, used, used_area, used_level, test):
    if user.endswith(".proto") and used_area == "framework/config":
        return None  # MediaPipe's paths forward to the protos that live there.
    if used_level is not None and used_area != PUBLIC_LAYER:
        return "calculators use the public face, not the layers under it"
    if used_area in ("calculators", "gpu", "util", PUBLIC_LAYER):
        return "only gpu/ knows gpu/cuda/" if "gpu/cuda/" in used else None
    if used_area != "framework":
        return None if test else f"calculators do not use {used_area}/"
    return None


def _util_why_not(used_area, used_level, test):
    if used_level is not None and used_area != PUBLIC_LAYER:
        return "util/ uses the public face, not the layers under it"
    if used_area in ("framework", "util", PUBLIC_LAYER):
        return None
    return None if test else f"util/ does not use {used_area}/"


def _pages_why_not(used_area, test):
    if test or used_area.startswith("framework") or used_area in ("pages",
                                                                  "util"):
        return None
    return f"pages/ stands below the programs and does not use {used_area}/"


def reach_why_not(user, reached):
    """The same for a header of the public face that stands on file `reached`."""
    area, _ = place(user)
    reached_area, level = place(reached)
    if (area != "calculators" or is_test(user) or
            level <= LAYERS[CALCULATOR_REACH]):
        return None
    return ("calculators use the authoring side of the public face only, and "
            f"this stands on {reached_area}/")


def why_not(user, used, test=None):
    """None if file `user` may use file or package `used`, else the reason."""
    test = is_test(user) if test is None else test
    if UPPER_FACE.match(used) and not (test or UPPER_FACE.match(user)
                                       or place(user)[0] in FREE):
        return "it stands on calculators or testing, and so above this"
    if user.startswith("framework/port/") and used.startswith("framework/deps/"):
        return "deps/ stands on port/, so port/ does not use it"
    area, level = place(user)
    used_area, used_level = place(used)
    for a, l in ((area, level), (used_area, used_level)):
        if l == -1:
            return f"{a}/ is not in the table of tools/tidy_layers.py"
    if area in FREE or used_area == "third_party":
        return None
    if level is not None:
        return _layer_why_not(level, area, used, used_area, used_level, test)
    if area == "framework":
        if test or used_area.startswith("framework"):
            return None
        if UPPER_FACE.match(user) and used_area in UPPER_FACE_USES:
            return None
        return f"framework/ does not use {used_area}/"
    if area == "calculators":
        return _calculator_why_not(user, used, used_area, used_level, test)
    if area == "util":
        return _util_why_not(used_area, used_level, test)
    if area == "pages":
        return _pages_why_not(used_area, test)
    if area == "gpu":
        if used_area == "gpu" or (test and used_area == "testing"):
            return None
        if test and used.startswith("framework/port/"):
            return None
        if used_level is not None and used_level <= GPU_MAX_LAYER:
            return None
        return f"gpu/ uses layers 0 to {GPU_MAX_LAYER} only"
    return None if used_area == area else f"{area}/ does not use {used_area}/"
