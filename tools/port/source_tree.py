"""The tree to be ported: its files, and its place among MediaPipe's paths.

Code names its own files by their path from the root of a workspace.  So the
port has to know two places: where the tree lies there ("mediapipe/acme"), and
where it is going to lie in a Syncline checkout ("acme", unless --at says
otherwise).  Nothing is ever written here.
"""
import os
import re
import stat

from port.checkout import read_text
from port.names import strip_root, translate
from port.own_packages import BUILDS, Packages

BINARY, TEXT, LINK, HUGE, UNREADABLE, SPECIAL = (
    "binary", "text", "link", "huge", "unreadable", "special")
HUGE_BYTES = 8 << 20
MARK = "\ufeff"
_MARK = MARK.encode()
_SKIPPED = {".git", ".hg", ".svn", "__pycache__"}
_WORKSPACES = ("MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel")
HEADERS = (".h", ".hpp", ".hh", ".hxx", ".cuh", ".inl", ".ipp", ".tpp", ".tcc")
CPP = HEADERS + (".cc", ".cpp", ".cxx", ".c++", ".c", ".inc", ".cu")
_INCLUDE = re.compile(r'^[^\S\n]*#[^\S\n]*include[^\S\n]*"([^"\n]+)"', re.M)
_IMPORT = re.compile(r"""^[^\S\n]*import\s+(?:public\s+|weak\s+)?["']([^"'\n]+)["']""", re.M)
_DEFINE = re.compile(r"^[^\S\n]*#[^\S\n]*define[^\S\n]+(\w+)", re.M)
_TYPE = re.compile(r"\b(?:class|struct|enum|union|using)\s+(?:ABSL_\w+\s+)?(\w+)\s*(?:final\s*)?[:{=]|"
                   r"\btypedef\s[^;{}]*?(\w+)\s*;")
_REGISTRATION = re.compile(r"\b(?:REGISTER_\w+|MEDIAPIPE_REGISTER_\w+)\s*\(\s*([\w:]+)")
_MUTEX = re.compile(r"\babsl::Mutex\s+(\w+)")
_WORKSPACE = re.compile(r"^(?:workspace|module)\s*\([^()]*\)", re.M)
_NAME = re.compile(r"""\b(?:repo_)?name\s*=\s*["']([\w.+~-]+)["']""")
_PROTO_NAME = re.compile(r"\w*(?:ediapipe|EDIAPIPE|ediaPipe)\w*")


class SourceTree:
    """The files below `root`, with what their texts say about the whole."""

    def __init__(self, root, place=None, at=None):
        """place: the tree's path from the workspace's root; None: found out.
        at: its path in the Syncline checkout; None: by the rule."""
        self.root = root
        self.files = {}    # path -> kind
        self.marked = set()  # files that begin with a byte order mark
        self.skipped = []  # (path, why)
        self._walk()
        self.packages = Packages(self)
        self._generated = None
        self._finals = None
        self.workspaces = set()  # names of the workspace that the tree is of
        self.place = place if place is not None else self._find_place()
        self._read_workspaces()
        self.at = at if at is not None else _without_root(self.place)
        self.defined = set()     # macros
        self.types = set()       # classes, and other names of types
        self.included_by = {}    # path -> what its #include lines name
        self.mutexes = set()     # names of absl::Mutex variables
        self.registered = set()  # registered classes, and what protos call "mediapipe"
        self.registrations = {}  # path -> names of the classes that it registers
        self._read_all()

    # --- files

    def _walk(self):
        waiting = [""]
        while waiting:
            folder = waiting.pop()
            try:
                entries = sorted(os.scandir(os.path.join(self.root, folder)),
                                 key=lambda e: e.name)
            except OSError as error:
                self.skipped.append((folder or ".", error.strerror))
                continue
            for entry in entries:
                path = os.path.join(folder, entry.name)
                if entry.is_symlink():
                    if not entry.name.startswith("bazel-"):
                        self.files[path] = LINK
                elif entry.is_dir():
                    if entry.name not in _SKIPPED:
                        waiting.append(path)
                else:
                    self.files[path] = self._kind(entry, path)

    def _kind(self, entry, path):
        try:
            status = entry.stat(follow_symlinks=False)
            if not stat.S_ISREG(status.st_mode):
                return SPECIAL
            with open(entry.path, "rb") as file:
                head = file.read(8192)
        except OSError:
            return UNREADABLE
        if head.startswith(_MARK):
            self.marked.add(path)
        if b"\0" in head:
            return BINARY
        return HUGE if status.st_size > HUGE_BYTES else TEXT

    def is_text(self, path):
        """Whether a file is one that the port reads."""
        return self.files.get(path) == TEXT

    def text(self, path):
        """The text of a file, without a byte order mark; None for what is none, or cannot be
        read."""
        if self.files.get(path) not in (TEXT, HUGE):
            return None
        text = read_text(os.path.join(self.root, path))
        return text[1:] if text and path in self.marked else text

    def _read_all(self):
        for path, kind in self.files.items():
            if kind != TEXT or not path.endswith(CPP + (".proto",)):
                continue
            text = self.text(path) or ""
            if path.endswith(".proto"):
                self.included_by[path] = _IMPORT.findall(text)
                code = re.sub(r'"[^"\n]*"|//[^\n]*', "", text)
                self.registered.update(set(_PROTO_NAME.findall(code)) - {"mediapipe"})
                continue
            self.defined.update(_DEFINE.findall(text))
            self.types.update(name for pair in _TYPE.findall(text) for name in pair if name)
            self.included_by[path] = _INCLUDE.findall(text)
            self.mutexes.update(_MUTEX.findall(text))
            names = {n.split("::")[-1] for n in _REGISTRATION.findall(text)}
            self.registrations[path] = sorted(names)
            self.registered.update(names)

    def own_includes(self):
        """path -> the files of the tree that it includes, or imports."""
        found = {}
        for path, used in self.included_by.items():
            folder = os.path.dirname(path)
            neighbours = (os.path.normpath(os.path.join(folder, name)) for name in used)
            found[path] = ({self.own_file(name) for name in used} |
                           {name for name in neighbours if name in self.files}) - {None}
        return found

    def renamed_registrations(self):
        """Registered names that the rule of translation changes."""
        return {name for name in self.registered if translate(name) != name}

    # --- places

    def _find_place(self):
        if os.path.isdir(os.path.join(self.root, "mediapipe")):
            return ""
        folder = self._workspace()
        if folder is not None and not os.path.isfile(
                os.path.join(folder, "tools/port_from_mediapipe")):
            below = os.path.relpath(self.root, folder)
            return self._place_in_checkout() if below == "." else below
        place = self._place_by_includes()
        return place if place is not None else self._place_by_path()

    def _place_in_checkout(self):
        """The place of a workspace's root: where it lies in a Syncline checkout if its labels say
        so, as those of a ported copy do; else ""."""
        folder = self._workspace(os.path.dirname(self.root))
        if folder is None or not os.path.isfile(os.path.join(folder, "tools/port_from_mediapipe")):
            return ""
        below = os.path.relpath(self.root, folder)
        starts = (f'"//{below}/', f'"//{below}:')
        texts = (self.text(path) or "" for path, kind in self.files.items()
                 if kind == TEXT and os.path.basename(path) in BUILDS)
        return below if any(start in text for text in texts for start in starts) else ""

    def _workspace(self, folder=None):
        """The folder of the workspace around the tree, or around a folder; or None."""
        folder = self.root if folder is None else folder
        while not any(os.path.isfile(os.path.join(folder, w)) for w in _WORKSPACES):
            folder, inner = os.path.dirname(folder), folder
            if folder == inner:
                return None
        return folder

    def _read_workspaces(self):
        folder = self._workspace()
        for name in _WORKSPACES if folder is not None else ():
            text = read_text(os.path.join(folder, name)) or ""
            self.workspaces.update(name for found in _WORKSPACE.finditer(text)
                                   for name in _NAME.findall(found.group()))

    def _place_by_includes(self):
        votes = {}
        for path, kind in self.files.items():
            if kind != TEXT or not path.endswith((".h", ".cc")):
                continue
            for used in _INCLUDE.findall(self.text(path) or ""):
                used = re.sub(r"\.pb\.h$", ".proto", used)
                parts = used.split("/")
                for cut in range(len(parts)):
                    if "/".join(parts[cut:]) in self.files:
                        place = "/".join(parts[:cut])
                        votes[place] = votes.get(place, 0) + 1
        return max(votes, key=lambda p: (votes[p], p)) if votes else None

    def _place_by_path(self):
        parts = self.root.strip("/").split("/")
        if "mediapipe" in parts:
            last = len(parts) - 1 - parts[::-1].index("mediapipe")
            return "/".join(parts[last:])
        return parts[-1]

    def own_file(self, path):
        """The tree's file that has `path` in MediaPipe's world, or None.  So does
        a file that building the tree makes: a header of a .proto, an output of a
        rule."""
        below = self.below(path)
        if below is None:
            return None
        if below in self.files:
            return below
        source = re.sub(r"\.pb\.h$", ".proto", below)
        return below if source in self.files or below in self.generated() else None

    def ported_file(self, path):
        """The tree's file that will lie at `path` in the Syncline checkout, or None."""
        if self._finals is None:
            self._finals = {self.final_path(file): file for file in self.files}
        return self._finals.get(path)

    def generated(self):
        """The files that building the tree makes, as far as its BUILD files say."""
        if self._generated is None:
            self._generated = self.packages.generated()
        return self._generated

    def beside(self, path, used):
        """Whether `used`, as written in the file `path`, names its neighbour."""
        neighbour = os.path.normpath(os.path.join(os.path.dirname(path), used))
        return (neighbour in self.files or neighbour.replace(".pb.h", ".proto") in self.files
                or neighbour in self.generated())

    def below(self, path):
        """A path in MediaPipe's world, from the root of the tree; or None."""
        if not self.place:
            return path
        if path == self.place:
            return ""
        return path[len(self.place) + 1:] if path.startswith(self.place + "/") else None

    def output_path(self, path):
        """Where a file goes, from the folder of the output."""
        return path if self.place else strip_root(path)

    def final_path(self, path):
        """Where a file of the tree will lie in the Syncline checkout."""
        return os.path.join(self.at, self.output_path(path))

    def moved_path(self, path):
        """Where a path in MediaPipe's world leads: of the tree, with files that
        are not there yet, or of anything else."""
        if path == "mediapipe" and not self.place:
            return self.at  # what is in this folder goes to where the workspace goes
        below = self.below(path.rstrip("/"))
        # What is beside files of the tree may be made by building it.
        beside = (os.path.dirname(below or "") or "mediapipe") + "/"
        if below is not None and (self.place or any(
                f == below or f.startswith(below + "/") or
                (f.startswith(beside) and beside != "mediapipe/") for f in self.files)):
            final = self.final_path(below) if below else self.at
            return final + path[len(path.rstrip("/")):]
        return "" if path == "mediapipe" else strip_root(path)

    def rule_path(self, path):
        """What the rule makes of a file's path in MediaPipe's world."""
        return strip_root(os.path.join(self.place, path))

    def own_package(self, package):
        """The final path of a package in MediaPipe's world, and that Package; or None."""
        found = self.packages.get(package)
        if found is None:
            return None
        # What lies in mediapipe/ itself goes to where the workspace goes.
        is_top = found.folder == ("mediapipe" if not self.place else "")
        final = self.at if is_top or not found.folder else self.final_path(found.folder)
        return final.rstrip("/"), found

    def own_folders(self):
        """Folders of the tree directly under mediapipe/."""
        folders = set()
        for path in self.files:
            parts = os.path.join(self.place, path).split("/")
            if parts[0] == "mediapipe" and len(parts) > 2:
                folders.add(parts[1])
        return folders


def _without_root(place):
    return "" if place == "mediapipe" else strip_root(place)
