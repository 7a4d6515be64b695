"""Which #if regions no build of Syncline compiles: nothing there needs hands.

Only conditions on macros with a known answer are decided: the GPU of
MediaPipe's kind is off, the system is Linux.  All others count as perhaps.
"""
import re

_FALSE = {"__ANDROID__", "__APPLE__", "__EMSCRIPTEN__", "_WIN32", "_MSC_VER", "_WIN64",
          "MEDIAPIPE_ANDROID", "MEDIAPIPE_IOS", "MEDIAPIPE_OSX", "MEDIAPIPE_MOBILE",
          "MEDIAPIPE_METAL_ENABLED", "MEDIAPIPE_ENABLE_HALIDE",
          "MEDIAPIPE_GPU_BUFFER_USE_CV_PIXEL_BUFFER", "TARGET_OS_IPHONE", "TARGET_OS_OSX",
          "MEDIAPIPE_TENSOR_USE_AHWB", "MEDIAPIPE_OPENGL_ES_VERSION"}
_TRUE = {"MEDIAPIPE_DISABLE_GPU", "__linux__"}
_WORDS = {**dict.fromkeys(_FALSE, False), **dict.fromkeys(_TRUE, True)}
_WORDS.update({w.replace("MEDIAPIPE", "SYNCLINE"): v for w, v in _WORDS.items()})

_DIRECTIVE = re.compile(r"^[^\S\n]*#[^\S\n]*(ifdef|ifndef|if|elif|else|endif)\b([^\n]*)", re.M)


def _term(text):
    """True, False or None (unknown) for one factor of a condition."""
    text = text.strip()
    if text.startswith("!"):
        value = _term(text[1:])
        return None if value is None else not value
    found = re.fullmatch(r"defined\s*\(?\s*(\w+)\s*\)?|\(?\s*(\w+)\s*\)?", text)
    word = (found[1] or found[2]) if found else ""
    return _WORDS.get(word, {"0": False, "1": True}.get(word))


def _condition(text):
    text = re.split(r"//|/\*", text)[0].strip()
    if "||" in text and "&&" in text:
        return None
    if "||" in text:
        values = [_term(t) for t in text.split("||")]
        return True if True in values else (None if None in values else False)
    values = [_term(t) for t in text.split("&&")]
    return False if False in values else (None if None in values else True)


def dead_regions(text):
    """[(start, end)] of what is never compiled."""
    regions, stack = [], []  # stack of [taken, dead since or None]
    for found in _DIRECTIVE.finditer(text):
        word, rest = found.groups()
        if word.startswith("if"):
            value = _condition(rest) if word == "if" else _term("defined " + rest.strip())
            if word == "ifndef" and value is not None:
                value = not value
            stack.append([value, found.end() if value is False else None])
        elif stack:
            taken, since = stack[-1]
            if since is not None:
                regions.append((since, found.start()))
            if word == "endif":
                stack.pop()
                continue
            value = True if word == "else" else _condition(rest)
            dead = taken is True or value is False
            stack[-1] = [True if taken is True else
                         (value if taken is False else None), found.end() if dead else None]
    return regions
