"""The files of a package that Debian asks for, and a .deb of a folder.

dpkg-deb is called directly.  debhelper would do the same steps, but from a
source package with a debian/ folder and a build by make, neither of which there
is: the files come out of Bazel.  What takes knowledge of the system is left to
dpkg: dpkg-shlibdeps finds which packages the libraries of others are in, and
dpkg-deb writes the archive.
"""
import gzip
import hashlib
import os
import subprocess
import textwrap
import time

# What each package's changelog calls itself, and where it is for.
_SOURCE = "syncline"
_DISTRIBUTION = "unstable"


class PackageError(Exception):
    """What the user can mend; the text says how."""


class Release:
    """What all packages of a build have in common."""

    def __init__(self, version, epoch, maintainer, changes):
        self.version = version  # as Debian compares it
        self.epoch = epoch  # seconds: the time of the commit
        self.maintainer = maintainer  # Name <address>
        self.changes = changes  # lines for the changelog

    def date(self):
        return time.strftime("%Y-%m-%d", time.gmtime(self.epoch))


def run(command, cwd=None, env=None):
    """The standard output; PackageError with what the program said."""
    try:
        result = subprocess.run(
            command, cwd=cwd, env=env, check=False, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except FileNotFoundError as error:
        raise PackageError(f"there is no {command[0]}: apt install dpkg-dev binutils "
                           "man-db") from error
    if result.returncode != 0:
        raise PackageError(f"{' '.join(command[:3])} … failed with status "
                           f"{result.returncode}: {result.stderr.strip() or result.stdout}")
    return result.stdout


def compressed(text):
    """The same bytes for the same text: no name and no time of the file."""
    return gzip.compress(text.encode(), compresslevel=9, mtime=0)


def changelog(release):
    changes = "\n".join(
        textwrap.fill(change, 78, initial_indent="  * ", subsequent_indent="    ")
        for change in release.changes)
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(release.epoch))
    return (f"{_SOURCE} ({release.version}) {_DISTRIBUTION}; urgency=medium\n\n{changes}\n\n"
            f" -- {release.maintainer}  {date}\n")


_CUDA = """
Comment:
 This plug-in has the CUDA runtime linked in, which is NVIDIA's: its
 terms are in the End User License Agreement of the CUDA toolkit.
"""


def copyright_file(release, has_cuda):
    """In the form that programs read: DEP-5."""
    year = time.strftime("%Y", time.gmtime(release.epoch))
    return f"""\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Syncline{_CUDA.rstrip() if has_cuda else ""}

Files: *
Copyright: {year} the authors of Syncline
License: Apache-2.0

License: Apache-2.0
 Licensed under the Apache License, Version 2.0 (the "License"); you may not use
 this file except in compliance with the License.
 .
 Unless required by applicable law or agreed to in writing, software distributed
 under the License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR
 CONDITIONS OF ANY KIND, either express or implied. See the License for the
 specific language governing permissions and limitations under the License.
 .
 On Debian systems the whole text of the license is in the file
 /usr/share/common-licenses/Apache-2.0.
"""


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def files_below(folder):
    """Paths from `folder` of files and links, sorted; without DEBIAN/."""
    found = []
    for place, _, names in os.walk(folder):
        inside = os.path.relpath(place, folder)
        if inside.split("/")[0] != "DEBIAN":
            found += [os.path.normpath(os.path.join(inside, name)) for name in names]
        found += [os.path.normpath(os.path.join(inside, name))
                  for name in os.listdir(place) if os.path.islink(os.path.join(place, name))
                  and os.path.isdir(os.path.join(place, name))]
    return sorted(found)


def write_stand_ins(folder, names):
    """Libraries of these names with nothing in them, for dpkg-shlibdeps: it reads
    all symbols of each library that a program needs, and for ours, which are
    large, that takes most of the time. In which package they are is known."""
    os.makedirs(folder, exist_ok=True)
    for name in names:
        run(["gcc", "-shared", "-nostdlib", f"-Wl,-soname,{name}", "-x", "c", "/dev/null", "-o",
             os.path.join(folder, name)])


def shared_library_depends(work, folder, package, stand_ins, shlibs):
    """What the libraries and programs in `folder` need, as Depends has it.

    `stand_ins` is the folder of write_stand_ins(), and `shlibs` says in which
    package ours are; of the others dpkg knows it."""
    files = [os.path.join(folder, name) for name in files_below(folder)]
    files = [path for path in files if not os.path.islink(path) and is_elf(path)]
    if not files:
        return []
    write(work + "/debian/control", f"Source: {_SOURCE}\n\nPackage: {package}\n"
          "Architecture: any\n")
    write(work + "/debian/shlibs.local", shlibs)
    out = run(["dpkg-shlibdeps", "-O", "--ignore-missing-info", f"-l{stand_ins}",
               *[f"-e{path}" for path in files]], cwd=work)
    for line in out.splitlines():
        if line.startswith("shlibs:Depends="):
            return line.split("=", 1)[1].split(", ")
    return []


def _installed_size(folder):
    """In KiB, as dpkg-gencontrol counts."""
    total = 0
    for place, folders, names in os.walk(folder):
        if os.path.relpath(place, folder).split("/")[0] == "DEBIAN":
            continue
        total += 1
        for name in names + [f for f in folders if os.path.islink(os.path.join(place, f))]:
            path = os.path.join(place, name)
            total += 1 if os.path.islink(path) else -(-os.path.getsize(path) // 1024)
    return total


def control(package, release, architecture, depends, folder):
    fields = [
        ("Package", package.name),
        ("Source", _SOURCE),
        ("Version", release.version),
        ("Section", package.section),
        ("Priority", "optional"),
        ("Architecture", "all" if package.is_for_all else architecture),
        ("Multi-Arch", package.multi_arch),
        ("Maintainer", release.maintainer),
        ("Installed-Size", str(_installed_size(folder))),
        ("Depends", ", ".join(depends)),
        ("Recommends", ", ".join(package.recommends)),
        ("Suggests", ", ".join(package.suggests)),
    ]
    lines = [f"{name}: {value}" for name, value in fields if value]
    lines.append(f"Description: {package.summary}")
    lines += [" " + line for line in package.description.splitlines()]
    return "\n".join(lines) + "\n"


def write(path, contents, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(contents if isinstance(contents, bytes) else contents.encode())
    os.chmod(path, mode)


def write_checksums(folder):
    """DEBIAN/md5sums, which `dpkg --verify` compares files with."""
    lines = []
    for name in files_below(folder):
        path = os.path.join(folder, name)
        if not os.path.islink(path):
            with open(path, "rb") as file:
                lines.append(f"{hashlib.md5(file.read()).hexdigest()}  {name}\n")
    write(folder + "/DEBIAN/md5sums", "".join(lines))


def _settle(folder, epoch):
    """Modes and times that do not tell who packed it, and when."""
    for place, _, names in os.walk(folder, topdown=False):
        for name in names:
            os.utime(os.path.join(place, name), (epoch, epoch), follow_symlinks=False)
        os.chmod(place, 0o755)
        os.utime(place, (epoch, epoch))


def archive(folder, path, epoch, level):
    """Makes the .deb `path` of a folder with DEBIAN/ in it.

    Level 0 does not compress. One thread compresses: with several, xz cuts the
    data into blocks."""
    _settle(folder, epoch)
    compression = ["-Zxz", f"-z{level}"] if level else ["-Znone"]
    run(["dpkg-deb", "--root-owner-group", "--threads-max=1", *compression, "--build", folder,
         path],
        env=dict(os.environ, SOURCE_DATE_EPOCH=str(epoch), LC_ALL="C.UTF-8"))
