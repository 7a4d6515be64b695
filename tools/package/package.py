"""Makes Debian packages of an installation.

    ./bazelw run //tools:package -- --out=DIR

The files are those of //tools:install, and packages.py says which package has
which.  All that could differ between two builds of one commit (times, owners,
order) is fixed to the commit, so that they give the same bytes.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import install
from debian_files import (PackageError, Release, archive, changelog, compressed, control,
                          copyright_file, is_elf, run, shared_library_depends, write,
                          write_checksums, write_stand_ins)
from manual_page import manual_page
from packages import packages

# How many commits the changelog names.
_CHANGES = 20


def say(text):
    print(f"package: {text}", flush=True)


class _Layout:
    """Where files of an installation go below / on this architecture."""

    def __init__(self):
        self.architecture = run(["dpkg", "--print-architecture"]).strip()
        triplet = run(["dpkg-architecture", "-qDEB_HOST_MULTIARCH"]).strip()
        self.libraries = f"usr/lib/{triplet}"

    def path(self, item):
        if item.path.startswith("lib/"):
            return f"{self.libraries}/{item.path[len('lib/'):]}"
        return f"usr/{item.path}"

    # Of the templates: the libraries lie one deeper than below a prefix, and
    # the system finds them by itself.
    VALUES = {"TO_PREFIX": "../..", "RPATH": ""}


def _listed(packages_file, array):
    """An array of third_party/packages.sh, where packages are named."""
    script = f'set -eu; . "$1"; printf "%s\\n" "${{{array}[@]}}"'
    return run(["bash", "-c", script, "bash", packages_file]).split()


class _Maker:
    """Makes the packages of one release in a folder for temporary files."""

    def __init__(self, items, release, layout, packages_file, work, level):
        self.items = items
        self.release = release
        self.layout = layout
        self.packages_file = packages_file
        self.work = work
        self.level = level
        self.libraries = os.path.join(work, "libsyncline0", layout.libraries)
        self.stand_ins = os.path.join(work, "stand_ins")
        write_stand_ins(self.stand_ins, [item.name for item in items
                                         if item.kind == "library" and item.link is None])

    def folder(self, package):
        return os.path.join(self.work, package.name)

    def stage(self, package):
        """Puts the package's files into its folder."""
        folder = self.folder(package)
        for item in self.items:
            if not package.takes(item):
                continue
            path = os.path.join(folder, self.layout.path(item))
            # Debian's libraries are no programs.
            item.mode = 0o644 if item.kind in ("library", "plugin") else item.mode
            item.write(path)
            if item.link is None and is_elf(path):
                run(["strip", "--strip-unneeded", "--remove-section=.comment",
                     "--remove-section=.note", path])
        doc = f"{folder}/usr/share/doc/{package.name}"
        write(doc + "/changelog.gz", compressed(changelog(self.release)))
        has_cuda = package.name == "syncline-plugin-cuda"
        write(doc + "/copyright", copyright_file(self.release, has_cuda))
        if package.overrides:
            write(f"{folder}/usr/share/lintian/overrides/{package.name}", package.overrides)

    def programs(self, package):
        return sorted(item.name for item in self.items
                      if item.kind == "program" and package.takes(item))

    def write_manual_pages(self, package, every_program):
        for program in self.programs(package):
            page = manual_page(
                program, self.help_of(package, program, "--help=all"),
                self.help_of(package, program, "--help"), self.release.version,
                self.release.date(), [other for other in every_program if other != program])
            write(f"{self.folder(package)}/usr/share/man/man1/{program}.1.gz", compressed(page))

    def help_of(self, package, program, flag):
        """What it prints; argparse knows --help only."""
        path = f"{self.folder(package)}/usr/bin/{program}"
        env = {"PATH": "/usr/bin:/bin", "COLUMNS": "80", "LC_ALL": "C.UTF-8",
               "LD_LIBRARY_PATH": self.libraries}
        for asked in (flag, "--help"):
            result = subprocess.run([path, asked], env=env, check=False, text=True,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE)
            if result.returncode == 0:
                return result.stdout
        raise PackageError(f"{program} --help failed with status {result.returncode}: "
                           f"{result.stderr}")

    def shlibs(self):
        """For packages that use the libraries. The name of a library has its
        binary interface, which is that of one middle number of the version."""
        lines = []
        for item in self.items:
            if item.kind != "library" or item.link is not None:
                continue
            name, interface = item.name.split(".so.")
            major, middle = interface.split(".")
            lines.append(f"{name} {interface} libsyncline0 (>= {interface}), "
                         f"libsyncline0 (<< {major}.{int(middle) + 1}~)\n")
        return "".join(sorted(lines))

    def depends(self, package):
        names = {
            "version": self.release.version,
            "headers": ", ".join(_listed(self.packages_file, "header_packages")),
            "python_yaml": ", ".join(_listed(self.packages_file, "yaml_packages")),
        }
        own = [need.format(**names) for need in package.depends]
        needed = shared_library_depends(
            os.path.join(self.work, "shlibdeps"), self.folder(package), package.name,
            self.stand_ins, self.shlibs())
        # That of exactly this version says more.
        return own + [need for need in needed if need.split()[0] != "libsyncline0"]

    def make(self, package, out):
        """The path of the .deb."""
        folder = self.folder(package)
        write(folder + "/DEBIAN/control", control(
            package, self.release, self.layout.architecture, self.depends(package), folder))
        write_checksums(folder)
        if package.name == "libsyncline0":
            write(folder + "/DEBIAN/shlibs", self.shlibs())
            write(folder + "/DEBIAN/triggers", "activate-noawait ldconfig\n")
        architecture = "all" if package.is_for_all else self.layout.architecture
        path = os.path.normpath(os.path.join(
            out, package.folder, f"{package.name}_{self.release.version}_{architecture}.deb"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        archive(folder, path + ".part", self.release.epoch, self.level)
        os.replace(path + ".part", path)
        return path


def make_packages(items, release, layout, packages_file, out, level):
    """Makes them all in `out`; the paths, and lines on those that are missing."""
    table, missing = packages(items)
    with tempfile.TemporaryDirectory(prefix="syncline-package.") as work:
        maker = _Maker(items, release, layout, packages_file, work, level)
        for package in table:
            maker.stage(package)
        every_program = sorted(sum((maker.programs(package) for package in table), []))
        paths = []
        for package in table:
            maker.write_manual_pages(package, every_program)
            paths.append(maker.make(package, out))
            say(f"{os.path.relpath(paths[-1], out)}: {os.path.getsize(paths[-1]) / 1e6:.1f} MB")
    return paths, missing


def _git(root, *arguments):
    """git's output, or None where it has none to give."""
    if not root or not shutil.which("git"):
        return None
    result = subprocess.run(["git", "-C", root, *arguments], check=False, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)
    return result.stdout.strip() if result.returncode == 0 else None


def _maintainer(root):
    """As Debian's own tools ask for it, else who made the commit."""
    name, address = os.environ.get("DEBFULLNAME"), os.environ.get("DEBEMAIL")
    if name and address:
        return f"{name} <{address}>"
    author = _git(root, "log", "-1", "--format=%an <%ae>")
    if not author:
        raise PackageError("no commit says who made it: set DEBFULLNAME and DEBEMAIL to the "
                           "name and the address of who looks after the packages")
    return author


def read_release(version, root):
    """Of the commit; without one, of SOURCE_DATE_EPOCH."""
    stated = os.environ.get("SOURCE_DATE_EPOCH")
    if stated is not None and not stated.isdecimal():
        raise PackageError(f'SOURCE_DATE_EPOCH is "{stated}": it has to be a number of seconds')
    commit = _git(root, "log", "-1", "--date=format-local:%Y%m%d%H%M%S",
                  "--format=%H %ct")
    if not commit:
        if stated is None:
            raise PackageError("this is no checkout of git: set SOURCE_DATE_EPOCH to the time of "
                               "the sources, in seconds")
        return Release(version, int(stated), _maintainer(root), [f"Syncline {version}."])
    number, seconds = commit.split()
    epoch = int(stated or seconds)
    stamp = run(["date", "-u", "-d", f"@{seconds}", "+%Y%m%d%H%M%S"]).strip()
    version = f"{version}+git{stamp}.{number[:8]}"
    if _git(root, "status", "--porcelain", "--untracked-files=no"):
        say("the checkout has changes that are in no commit: the version says so")
        version += "+changed"
    subjects = _git(root, "log", f"-{_CHANGES}", "--format=%s")
    return Release(version, epoch, _maintainer(root),
                   [f"Built of commit {number}. The last commits:"] + subjects.splitlines())


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="./bazelw run //tools:package --",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Makes Debian packages of Syncline: syncline, libsyncline0, libsyncline-dev,\n"
        "syncline-plugin-page; in DIR/optional syncline-gxf, and plug-ins for what else is here.",
        epilog="examples:\n"
        "  ./bazelw run //tools:package -- --out=packages\n"
        "  apt install ./packages/*.deb\n\n"
        "The time of the commit is that of all files (SOURCE_DATE_EPOCH changes it), and its\n"
        "author the maintainer (DEBFULLNAME and DEBEMAIL).\n\n"
        "exit status: 0 they are made, 1 they are not, 2 usage")
    parser.add_argument("--out", metavar="DIR", required=True,
                        help="the folder for the packages, made if it is not there")
    parser.add_argument("--compression", metavar="LEVEL", type=int, default=6,
                        choices=range(10), help="from 0, which is none, to 9; default: 6")
    return parser.parse_args(arguments)


def main(arguments):
    list_file, runfiles, packages_file = arguments[:3]
    options = parse_arguments(arguments[3:])
    # `bazel run` starts programs elsewhere.
    out = os.path.normpath(os.path.join(
        os.environ.get("BUILD_WORKING_DIRECTORY", os.getcwd()), os.path.expanduser(options.out)))
    if os.path.lexists(out) and not os.path.isdir(out):
        raise PackageError(f'"{out}" is a file; --out takes a folder')
    items, version = install.read_list(list_file, runfiles, _Layout.VALUES)
    release = read_release(version, os.environ.get("BUILD_WORKSPACE_DIRECTORY"))
    os.makedirs(out, exist_ok=True)
    paths, missing = make_packages(items, release, _Layout(), packages_file, out,
                                   options.compression)
    for line in missing:
        say(line)
    say(f"{len(paths)} packages of Syncline {release.version} are in {out}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except PackageError as error:
        sys.exit(f"package: {error}")
    except OSError as error:
        sys.exit(f"package: {error}. Choose a folder with --out that you may write to, and that "
                 "has room")
