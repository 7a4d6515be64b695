"""Installs Syncline for builds that are not Bazel's.

    ./bazelw run //tools:install -- --prefix=DIR

The files and where they come from are in the list that installation.bzl writes;
where they go is in _DESTINATIONS.  Nothing that is installed names the prefix,
so the folder can be moved.  What was installed is noted in the prefix itself
(share/syncline/install_manifest.txt): the next installation removes what it no
longer has, and --uninstall all of it.
"""
import argparse
import os
import re
import sys
import tempfile

_MANIFEST = "share/syncline/install_manifest.txt"

# Folder of each kind of file, and the mode.
_DESTINATIONS = {
    "library": ("lib", 0o755),
    "plugin": ("lib/syncline/plugins", 0o755),
    "program": ("bin", 0o755),
    "script": ("share/syncline/scripts", 0o644),
    "completion": ("share/bash-completion/completions", 0o644),
    "header": ("include/syncline", 0o644),
    "proto": ("share/syncline/protos", 0o644),
    "document": ("share/doc/syncline", 0o644),
    "page": ("share/doc/syncline/docs", 0o644),
    "cmake": ("lib/cmake/Syncline", 0o644),
    "pkgconfig": ("lib/pkgconfig", 0o644),
}


class InstallError(Exception):
    """What the user can mend; the text says how."""


class Item:
    """One file of the installation: from `source`, `text` or `link`."""

    def __init__(self, kind, name, source=None, text=None, link=None):
        folder, self.mode = _DESTINATIONS[kind]
        self.kind = kind
        self.name = name
        self.path = f"{folder}/{name}"
        self.source = source
        self.text = text
        self.link = link

    def is_at(self, path):
        """True if exactly this is at `path` already."""
        if self.link is not None:
            return os.path.islink(path) and os.readlink(path) == self.link
        if os.path.islink(path) or not os.path.isfile(path):
            return False
        if os.stat(path).st_mode & 0o777 != self.mode:
            return False
        with open(path, "rb") as file:
            return file.read() == self.bytes()

    def bytes(self):
        if self.text is not None:
            return self.text.encode()
        with open(self.source, "rb") as file:
            return file.read()

    def write(self, path):
        """Puts it there in one step: a program that runs keeps its library."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        folder, name = os.path.split(path)
        temporary = tempfile.mktemp(prefix=f".{name}.", dir=folder)
        try:
            if self.link is not None:
                os.symlink(self.link, temporary)
            else:
                with open(temporary, "xb") as file:
                    file.write(self.bytes())
                os.chmod(temporary, self.mode)
            os.replace(temporary, path)
        except BaseException:
            if os.path.lexists(temporary):
                os.remove(temporary)
            raise


def fill_in(template, values):
    """`template` with each @NAME@ replaced; an unknown one is an error."""
    return re.sub(r"@([A-Z_]+)@", lambda match: values[match.group(1)],
                  template)


# Names in templates, apart from the versions: from the folder of the libraries
# to the prefix, and what makes programs find the libraries.
PREFIX_VALUES = {"TO_PREFIX": "..", "RPATH": "-Wl,-rpath,${libdir} "}


def read_list(list_file, runfiles, values=None):
    """The items of the list that installation.bzl wrote, and the version.

    `values` are those of the names in templates, PREFIX_VALUES by default."""
    items = []
    values = dict(values or PREFIX_VALUES)
    templates = []
    with open(list_file, encoding="utf-8") as file:
        lines = file.read().splitlines()
    values["VERSION"] = lines[0].split("\t")[1]
    values["SOVERSION"] = ".".join(values["VERSION"].split(".")[:2])
    for line in lines[1:]:
        kind, source, name = line.split("\t")
        source = os.path.join(runfiles, source)
        if kind == "template":
            templates.append((name, source))
            continue
        if kind == "completion":
            name = "syncline"
        items.append(Item(kind, name, source=source))
        if kind == "library":
            # What a linker looks for.
            items.append(Item(kind, name[:name.index(".so") + 3], link=name))
        elif kind == "script" and name.endswith("_main.py"):
            # A program, which finds the rest of the scripts beside itself.
            items[-1].mode = 0o755
            program = os.path.basename(name)[:-len("_main.py")]
            items.append(Item("program", program, link="../" + items[-1].path))
    items += _completions([item for item in items if item.kind == "completion"],
                          [item for item in items if item.kind == "program"])
    for name, source in templates:
        with open(source, encoding="utf-8") as file:
            text = fill_in(file.read(), values)
        kind = "pkgconfig" if name.endswith(".pc.in") else "cmake"
        items.append(Item(kind, name[:-len(".in")], text=text))
    return items, values["VERSION"]


def _completions(items, programs):
    """bash looks for a file by the name of the program: links to the one."""
    return [Item("completion", program.name, link=item.name)
            for item in items for program in programs]


def read_manifest(root):
    """The paths that the last installation noted; none if there was none."""
    path = os.path.join(root, _MANIFEST)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        paths = [line for line in file.read().splitlines()
                 if line and not line.startswith("#")]
    for name in paths:
        if name.startswith("/") or ".." in name.split("/"):
            raise InstallError(
                f'"{path}" names "{name}", which is not inside the prefix: the '
                "file is damaged. Remove it, and what is installed, by hand")
    return paths


def remove(root, name):
    """Removes a file, and the folders that it leaves empty."""
    path = os.path.join(root, name)
    if os.path.lexists(path):
        os.remove(path)
    folder = os.path.dirname(name)
    while folder:
        try:
            os.rmdir(os.path.join(root, folder))
        except OSError:
            return
        folder = os.path.dirname(folder)


def say(text):
    print(f"install: {text}", flush=True)


def install(items, version, root, dry_run, verbose):
    paths = [item.path for item in items]
    stale = [name for name in read_manifest(root)
             if name not in set(paths) and name != _MANIFEST]
    written = 0
    for item in items:
        path = os.path.join(root, item.path)
        if item.is_at(path):
            continue
        written += 1
        if dry_run or verbose:
            say(("would write " if dry_run else "") + path +
                (f" -> {item.link}" if item.link else ""))
        if not dry_run:
            item.write(path)
    for name in stale:
        if dry_run or verbose:
            say(("would remove " if dry_run else "removed ") +
                os.path.join(root, name))
        if not dry_run:
            remove(root, name)
    if not dry_run:
        manifest = Item("document", "", text="".join(
            [f"# Files of Syncline {version}, from the prefix.\n"] +
            [f"{name}\n" for name in sorted(paths + [_MANIFEST])]))
        path = os.path.join(root, _MANIFEST)
        if not manifest.is_at(path):
            manifest.write(path)
    say(f"Syncline {version}: {len(items)} files in {root}, of which {written} "
        f"{'would be' if dry_run else 'were'} written and {len(stale)} of an "
        f"older installation {'would be' if dry_run else 'were'} removed")


def uninstall(root, dry_run, verbose):
    paths = read_manifest(root)
    if not paths:
        raise InstallError(
            f'there is no "{os.path.join(root, _MANIFEST)}", so nothing that '
            "this program installed; name the prefix that it was given")
    for name in paths:
        if dry_run or verbose:
            say(("would remove " if dry_run else "removed ") +
                os.path.join(root, name))
        if not dry_run:
            remove(root, name)
    say(f"{len(paths)} files {'would be' if dry_run else 'were'} removed from "
        f"{root}")


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="./bazelw run //tools:install --",
        description="Installs Syncline: shared libraries, headers, protos, "
        "run_graph, a CMake package and a pkg-config file. See "
        "docs/installing.md.",
        epilog="With DESTDIR in the environment everything goes below that "
        "folder instead, as package builders want it: $DESTDIR/PREFIX. The "
        "libraries are compiled with -c opt; `./bazelw run -c dbg` installs "
        "ones for a debugger.")
    parser.add_argument("--prefix", metavar="DIR", help=(
        "the folder to install in, made if it is not there, such as "
        "/usr/local or $HOME/syncline"))
    parser.add_argument("--dry_run", "--dry-run", action="store_true",
                        help="change nothing; say what would be")
    parser.add_argument("--list", action="store_true",
                        help="print the files, from the prefix, and stop")
    parser.add_argument("--uninstall", action="store_true", help=(
        "remove what was installed in the prefix"))
    parser.add_argument("--verbose", action="store_true",
                        help="name each file")
    options = parser.parse_args(arguments)
    if not options.prefix and not options.list:
        parser.error("name the folder to install in: --prefix=DIR")
    return options


def main(arguments):
    list_file, runfiles = arguments[:2]
    options = parse_arguments(arguments[2:])
    items, version = read_list(list_file, runfiles)
    if options.list:
        print("\n".join(sorted(item.path for item in items) + [_MANIFEST]))
        return
    # `bazel run` starts programs elsewhere.
    root = os.path.join(os.environ.get("BUILD_WORKING_DIRECTORY", os.getcwd()),
                        os.path.expanduser(options.prefix))
    root = os.path.normpath(root)
    destdir = os.environ.get("DESTDIR", "")
    if destdir:
        root = os.path.join(os.path.abspath(destdir), root.lstrip("/"))
    if os.path.lexists(root) and not os.path.isdir(root):
        raise InstallError(f'"{root}" is a file; --prefix takes a folder')
    if options.uninstall:
        uninstall(root, options.dry_run, options.verbose)
    else:
        install(items, version, root, options.dry_run, options.verbose)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except InstallError as error:
        sys.exit(f"install: {error}")
    except OSError as error:
        sys.exit(f"install: {error}. Choose a --prefix that you may write to, "
                 "or run the installation as root")
