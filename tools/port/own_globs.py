"""The files of the tree that the glob() of a BUILD file finds."""
import fnmatch
import os
import re

_MOST = 1000  # of one package


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
    if pattern.count("*") > 8:  # which could take very long
        return fnmatch.filter(files, start + pattern)
    form = "".join({"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(
        part, re.escape(part)) for part in re.split(r"(\*\*/|\*\*|\*|\?)", pattern))
    find = re.compile(re.escape(start) + form, re.DOTALL)
    return [file for file in files if find.fullmatch(file)]
