"""The files of the tree that the glob() of a BUILD file finds."""
import fnmatch
import os
import re

_MOST = 1000  # of one package
_MOST_STARS = 100  # of one pattern


class Globs:
    """Those of one SourceTree; `builds`: the names of BUILD files."""

    def __init__(self, tree, builds):
        self._tree, self._builds = tree, builds
        self._files = {}  # folder -> the files of its package
        self._found = {}  # folder -> (include, exclude) -> files

    def find(self, folder, include, exclude):
        """The files of a package, from its folder, that patterns find and others do not; None
        where a loop asks for too many."""
        found, key = self._found.setdefault(folder, {}), (include, exclude)
        if key not in found:
            if len(found) >= _MOST:
                return None
            if folder not in self._files:
                self._files[folder] = self._of_package(folder)
            files, start = self._files[folder], len(folder) + 1 if folder else 0
            taken, left = (set().union(*(matching(files, folder, p) for p in patterns))
                           for patterns in (include, exclude))
            found[key] = sorted(file[start:] for file in taken - left)
        return found[key]

    def _of_package(self, folder):
        """The files in a folder and below that are of no package of their own."""
        start = folder + "/" if folder else ""
        files = {file for file in self._tree.files if file.startswith(start)}
        others = {os.path.dirname(file) for file in files
                  if os.path.basename(file) in self._builds} - {folder}
        return {file for file in files if others.isdisjoint(_above(file))}


def _above(path):
    """The folders that a file is in."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def matching(files, folder, pattern):
    """The files that a pattern of glob() finds in `folder`."""
    start = folder + "/" if folder else ""
    if "*" not in pattern and "?" not in pattern:
        return [start + pattern] if start + pattern in files else []
    if pattern.count("*") > _MOST_STARS:
        return fnmatch.filter(files, start + pattern)
    find = re.compile(re.escape(start) + _form(pattern), re.DOTALL)
    return [file for file in files if find.fullmatch(file)]


def _form(pattern):
    """The regular expression of a pattern.  Whatever stands between two stars is looked for where
    it comes first, and then stays, so that no file takes long."""
    first, *middle = re.split(r"(?:(?<=/)|\A)\*\*(?:/|\Z)", pattern)
    form = _segments(first)
    for part in middle[:-1]:
        form += f"(?>(?:[^/]*/)*?{_segments(part)})" if part else ""
    if middle:
        form += "(?:.*/)?" + _segments(middle[-1]) if middle[-1] else ".*"
    return form


def _segments(text):
    return "/".join(map(_segment, text.split("/")))


def _segment(text):
    first, *rest = re.split(r"\*+", text)
    form = _plain(first)
    for piece in rest[:-1]:
        form += f"(?>[^/]*?{_plain(piece)})"
    return form + ("[^/]*" + _plain(rest[-1]) if rest else "")


def _plain(text):
    return "".join("[^/]" if sign == "?" else re.escape(sign) for sign in text)
