"""The command as users run it: trees of every kind, the copy, the exit status."""
import contextlib
import io
import os
import stat
import unittest

from port import main
from port.source_tree import HUGE_BYTES, SourceTree
from port.testing import CHECKOUT, CommandCase, PortCase, write_files

_GOOD = {"mediapipe/acme/a.h": "namespace mediapipe {}\n"}


class CommandTest(CommandCase):

    def test_writes_a_copy_beside_the_original_and_leaves_that(self):
        self.tree(_GOOD)
        self.assertEqual(self.run_port("mp"), 0)
        self.assertEqual(self.files("mp"), {p: t.encode() for p, t in _GOOD.items()})
        self.assertEqual(self.files("mp_syncline"), {"acme/a.h": b"namespace syncline {}\n"})
        self.assertIn("mediapipe/acme/a.h -> acme/a.h: names 1", self.out)
        self.assertIn("1 files, 1 changed, 0 to do", self.out)

    def test_its_own_output_stays_as_it_is(self):
        self.tree({**_GOOD, "mediapipe/acme/b.cc": '#include "mediapipe/acme/a.h"\nABSL_LOG(INFO);',
                   "mediapipe/acme/BUILD": 'cc_library(name = "b", srcs = ["b.cc"])\n'})
        self.run_port("mp")
        self.assertEqual(self.run_port("mp_syncline"), 0)
        self.assertIn("0 changed", self.out)
        self.assertEqual(self.files("mp_syncline_syncline"), self.files("mp_syncline"))

    def test_something_to_do_is_status_1(self):
        self.tree({"mediapipe/a.cc": '#include "mediapipe/gpu/gl_context.h"\n'})
        self.assertEqual(self.run_port("mp"), 1)
        self.assertIn("TO DO mediapipe/a.cc:1:", self.out)

    def test_a_dry_run_prints_a_diff_and_writes_nothing(self):
        self.tree(_GOOD)
        self.assertEqual(self.run_port("mp", "--dry_run"), 0)
        self.assertEqual(self.out, "--- a/mediapipe/acme/a.h\n+++ b/acme/a.h\n@@ -1 +1 @@\n"
                         "-namespace mediapipe {}\n+namespace syncline {}\n")
        self.assertIn("nothing written", self.err)
        self.assertEqual(os.listdir(self.root), ["mp"])

    def test_wrong_usage_is_status_2(self):
        self.tree(_GOOD)
        self.tree({"x": ""}, "full")
        for arguments in ((), ("nowhere",), ("mp/mediapipe/acme/a.h",), ("mp", "--output=mp/x"),
                          ("mp", "--output=."), ("mp", "--output=full"), ("mp", "--at=../x"),
                          ("mp", "--output=full/x"), ("mp", "--nonsense")):
            self.assertEqual(self.run_port(*arguments), 2, arguments)
        self.assertEqual(self.run_port("mp", "--output=full", "--overwrite"), 0)
        self.assertEqual(self.run_port("--help"), 0)
        self.assertIn("exit status", self.out)

    def test_files_of_every_kind_come_along(self):
        self.tree({"a.bin": b"\0mediapipe::", "mediapipe/crlf.h": "namespace mediapipe {\r\n}\r\n",
                   "mediapipe/latin.cc": b"// \xe4\nmediapipe::A a;", "mediapipe/bom.h":
                   b"\xef\xbb\xbfmediapipe::A a;", ".git/x": "", "run.sh": "#!/bin/sh\n",
                   "mediapipe/\udce4.h": "mediapipe::A a;", "mediapipe/empty.cc": "",
                   "mediapipe/open.cc": 'f("mediapipe\n/* mediapipe::'})
        os.chmod(os.path.join(self.root, "mp/run.sh"), 0o755)
        self.assertEqual(self.run_port("mp"), 1, self.err)
        self.assertIn("1 to do", self.out)  # open.cc
        self.assertEqual(self.files("mp_syncline"), {
            "a.bin": b"\0mediapipe::", "crlf.h": b"namespace syncline {\r\n}\r\n",
            "latin.cc": b"// \xe4\nsyncline::A a;", "bom.h": b"\xef\xbb\xbfsyncline::A a;",
            "run.sh": b"#!/bin/sh\n", "empty.cc": b"", "\udce4.h": b"syncline::A a;",
            "open.cc": b'f("syncline\n/* mediapipe::'})
        mode = os.stat(os.path.join(self.root, "mp_syncline/run.sh")).st_mode
        self.assertTrue(mode & stat.S_IXUSR)

    def test_names_are_no_commands_to_the_terminal(self):
        self.tree({"mediapipe/\x1b[31m\nred.h": "mediapipe::A a;",
                   "mediapipe/\udce4\x9b.h": "mediapipe::A a;"})
        self.assertEqual(self.run_port("mp", "--verbose"), 0, self.err)
        self.assertIn('"mediapipe/\\x1b[31m\\nred.h"', self.out)
        self.assertIn("\\x9b.h", self.out)
        for control in ("\x1b", "\x9b"):
            self.assertNotIn(control, self.out + self.err)

    def test_links_pipes_and_huge_files(self):
        self.tree({"a.h": "", "huge.cc": "//" + "x" * HUGE_BYTES})
        mp = os.path.join(self.root, "mp")
        os.symlink("a.h", mp + "/inside")
        os.symlink("/nowhere", mp + "/outside")
        os.symlink("..", mp + "/up")
        os.symlink("/tmp", mp + "/bazel-out")
        os.mkfifo(mp + "/pipe")
        self.assertEqual(self.run_port("mp"), 1)
        copy = os.path.join(self.root, "mp_syncline")
        self.assertEqual(sorted(os.listdir(copy)), ["a.h", "huge.cc", "inside", "outside", "up"])
        self.assertEqual(os.readlink(copy + "/inside"), "a.h")
        for name in ("outside: a link to", "up: a link to", "pipe: is no plain file",
                     "huge.cc: larger than"):
            self.assertIn("TO DO " + name, self.out)

    @unittest.skipIf(os.getuid() == 0, "root reads everything")
    def test_what_cannot_be_read_is_left_out(self):
        self.tree({"a.h": "", "b.h": "", "c/d.h": ""})
        os.chmod(os.path.join(self.root, "mp/b.h"), 0)
        os.chmod(os.path.join(self.root, "mp/c"), 0)
        self.addCleanup(os.chmod, os.path.join(self.root, "mp/c"), 0o700)
        self.assertEqual(self.run_port("mp"), 1)
        self.assertEqual(set(self.files("mp_syncline")), {"a.h"})

    def test_a_copy_within_the_checkout_is_called_by_its_place(self):
        write_files(self.root, {
            **{f"checkout/{path}": text for path, text in CHECKOUT.items()},
            "ws/WORKSPACE": 'workspace(name = "w")\n', "ws/acme/a.h": "",
            "ws/acme/a.cc": '#include "acme/a.h"\n'
                            'auto a = "./acme/b.txt acme/c.txt x/acme/b.txt";\n',
            "ws/acme/b.txt": "", "ws/acme/t.sh": "cat acme/b.txt\n",
            "ws/acme/t.py": "open('acme/b.txt')\n", "ws/acme/BUILD":
                'cc_library(name = "a", hdrs = ["a.h"])\n'
                'cc_library(name = "b", srcs = ["a.cc"], deps = ["//acme:a", "@w//acme:a"])\n'})
        checkout, ws = (os.path.join(self.root, name) for name in ("checkout", "ws"))
        for place in ("scratch/ws", "other"):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                status = main.run([ws, f"--output={checkout}/{place}"], checkout)
            self.assertEqual(status, 0, out.getvalue())
            files = self.files(f"checkout/{place}")
            self.assertEqual(files["acme/a.cc"].decode(), f'#include "{place}/acme/a.h"\n'
                             f'auto a = "./{place}/acme/b.txt acme/c.txt x/acme/b.txt";\n')
            self.assertEqual(files["acme/t.sh"].decode(), f"cat {place}/acme/b.txt\n")
            self.assertEqual(files["acme/t.py"].decode(), f"open('{place}/acme/b.txt')\n")
            self.assertIn(f'deps = ["//{place}/acme:a"])'.encode(), files["acme/BUILD"])

    def test_two_files_for_one_place_are_reported(self):
        self.tree({"mediapipe/acme/a.h": "1", "acme/a.h": "2"})
        self.assertEqual(self.run_port("mp"), 1)
        self.assertEqual(self.files("mp_syncline"), {"acme/a.h": b"2"})
        self.assertIn('"acme/a.h" has the same place', self.out)


class PlaceTest(PortCase):

    def place(self, folder, files):
        write_files(self.root, files)
        return SourceTree(os.path.join(self.root, folder)).place

    def test_a_workspace_that_was_ported_into_a_checkout_has_its_place_there(self):
        for label, place in (("//scratch/ws/acme:h", "scratch/ws"), ("//acme:h", "")):
            files = {"WORKSPACE": "", "tools/port_from_mediapipe": "", "scratch/ws/WORKSPACE": "",
                     "scratch/ws/acme/BUILD": f'cc_library(name = "a", deps = ["{label}"])\n'}
            self.assertEqual(self.place("scratch/ws", files), place)

    def test_a_workspace_is_its_own_root(self):
        self.assertEqual(self.place("w", {"w/mediapipe/a/b.h": ""}), "")
        self.assertEqual(self.place("v", {"v/WORKSPACE": "", "v/a/b.h": ""}), "")

    def test_a_folder_of_a_workspace_lies_where_it_lies(self):
        self.assertEqual(self.place("w/mediapipe/a", {"w/WORKSPACE": "", "w/mediapipe/a/b": ""}),
                         "mediapipe/a")

    def test_includes_tell_where_a_folder_was_taken_from(self):
        self.assertEqual(self.place("x", {"x/b.h": "", "x/c.cc": '#include "mediapipe/a/b.h"\n'}),
                         "mediapipe/a")

    def test_a_component_called_mediapipe_tells(self):
        self.assertEqual(self.place("q/mediapipe/a", {"q/mediapipe/a/b.h": ""}), "mediapipe/a")

    def test_else_the_folder_has_its_own_name(self):
        self.assertEqual(self.place("myproject", {"myproject/b.h": ""}), "myproject")

    def test_an_own_include_of_a_project_of_ones_own_stays(self):
        files = {"b.h": "", "c.cc": '#include "myproject/b.h"\n'}
        result = self.port(files, place="myproject")["c.cc"]
        self.assertEqual((result.new, result.findings), (files["c.cc"], []))


if __name__ == "__main__":
    unittest.main()
