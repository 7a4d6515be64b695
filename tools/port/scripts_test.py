"""Names in commands of rules, shell scripts, Python, and data."""
import unittest

from port.testing import PortCase

_TREE = {
    "mediapipe/acme/a.h": "#define MEDIAPIPE_ACME 1\nnamespace mediapipe { class MediaPipeA {}; }\n",
    "mediapipe/acme/b.txt": "", "mediapipe/acme/tool.py": "", "mediapipe/acme/a.proto": "",
    "mediapipe/acme/c/BUILD": 'cc_library(name = "c")\n',
}


class ScriptCase(PortCase):

    def ported(self, name, text, at="x", files=(), **options):
        """What becomes of one more file of mediapipe/acme."""
        path = f"mediapipe/acme/{name}"
        result = self.port({**_TREE, **dict(files), path: text}, at=at, **options)[path]
        self.found = [tuple(f) for f in result.findings]
        return result.new


class BuildTest(ScriptCase):

    def argument(self, text, name="cmd", files=()):
        """What becomes of one argument of a genrule."""
        rule = ('genrule(name = "g", srcs = ["b.txt"], tools = ["tool.py"], outs = ["made.h"],\n'
                '    %s = %s)\n')
        new = self.ported("BUILD", rule % (name, text), files=files)
        return new.partition(f" {name} = ")[2][:-2]

    def test_a_command_that_writes_code_follows_the_code(self):
        for before, after in (
                ("\"echo '#define MEDIAPIPE_MADE 1' > $@\"",
                 "\"echo '#define SYNCLINE_MADE 1' > $@\""),
                ('"echo \'#include \\"mediapipe/acme/made.h\\"\' > $@"',
                 '"echo \'#include \\"x/acme/made.h\\"\' > $@"'),
                ("\"\"\"\ncat > $@ <<END\nnamespace mediapipe { MediaPipeA a = MEDIAPIPE_ACME; }\n"
                 "END\n\"\"\"", "\"\"\"\ncat > $@ <<END\nnamespace syncline { SynclineA a = "
                 "SYNCLINE_ACME; }\nEND\n\"\"\""),
                ("\"printf 'int i;\\\\nnamespace mediapipe {}\\\\n' > $@\"",
                 "\"printf 'int i;\\\\nnamespace syncline {}\\\\n' > $@\""),
                ('"$(location //mediapipe/acme/c) -I$(GENDIR)/mediapipe/acme -Imediapipe/acme"',
                 '"$(location //x/acme/c) -I$(GENDIR)/x/acme -Ix/acme"'),
                ('"$(locations :b.txt) " + "-DMEDIAPIPE_ACME=1 package mediapipe;"',
                 '"$(locations :b.txt) " + "-DSYNCLINE_ACME=1 package syncline;"')):
            self.assertEqual(self.argument(before), after)
            self.assertEqual(self.found, [])

    def test_a_command_that_writes_code_is_told_what_an_umbrella_header_does_not_bring(self):
        lines = ('#include "mediapipe/framework/calculator_framework.h"', "%s",
                 "bool b = mediapipe::SubgraphRegistry::IsRegistered(name);")
        advice = "the code that is written here uses what framework/subgraph.h has"
        for form in ('"""\ncat > $@ <<END\n%s\nEND\n"""', "\"\"\"echo '%s' > $@\"\"\""):
            text = form % "\n".join(lines)
            self.argument(text % "")
            self.assertEqual([f[1] for f in self.found], [True])
            self.assertIn(advice, self.found[0][2])
            self.argument(text % '#include "mediapipe/framework/subgraph.h"')
            self.assertEqual(self.found, [])
        self.argument("\"printf '%s' > $@\"" % "\\\\n".join(lines).replace('"', '\\"') % "")
        self.assertIn(advice, self.found[0][2])
        # Neither a text without code nor code without Syncline's headers.
        for text in ("SubgraphRegistry", "#include <map>\nSubgraphRegistry r;"):
            self.argument(f'"""echo \'{text}\' > $@"""')
            self.assertEqual(self.found, [])

    def test_a_path_to_what_only_the_checkout_has_leads_there(self):
        files = {"mediapipe/framework/mine.h": ""}
        for before, after in (
                ("framework/packet.h", "framework/packet.h"),
                ("framework/calculator.pb.h", "framework/calculator.pb.h"),
                ("framework/mine.h", "x/framework/mine.h"),
                ("framework/nowhere.h", "x/framework/nowhere.h")):
            text = "\"printf '#include \\\"%s\\\"' > $@; f -include %s $(GENDIR)/%s\""
            self.assertEqual(self.argument(text % (("mediapipe/" + before,) * 3), files=files),
                             text % ((after,) * 3))

    def test_a_script_that_writes_code_is_told_too(self):
        code = ('#include "mediapipe/framework/calculator_framework.h"\n'
                "mediapipe::SubgraphRegistry::Unregister(name);\n")
        for name, text in (("w.sh", f"#!/bin/sh\ncat > $1 <<END\n{code}END\n"),
                           ("w.py", f'CODE = """\n{code}"""\n')):
            self.ported(name, text)
            self.assertEqual([f[:2] for f in self.found], [(3 if name == "w.sh" else 2, True)])
            self.assertIn("framework/subgraph.h has", self.found[0][2])

    def test_variables_of_the_environment_keep_their_names(self):
        for text in ('"MEDIAPIPE_ROOT=1 $(location tool.py) $$MEDIAPIPE_ROOT $${MEDIAPIPE_ROOT}"',
                     '"export MEDIAPIPE_ROOT; f > $@"'):
            self.assertEqual(self.argument(text), text)
            self.assertEqual(self.found, [])
        text = ('E = {"MEDIAPIPE_E": "1"}\n'
                'cc_test(name = "a", srcs = ["a.h"], env = {"MEDIAPIPE_ROOT": "%s/b.txt"}, '
                'local_defines = ["%s_X=1"])\n'
                'cc_test(name = "b", srcs = ["a.h"], env = E, env_inherit = ["MEDIAPIPE_I"])\n'
                'config_setting(name = "c", define_values = {"MEDIAPIPE_D": "1"}, '
                'values = {"define": "MEDIAPIPE_D=1"})\n')
        self.assertEqual(self.ported("BUILD", text % ("mediapipe/acme", "MEDIAPIPE")),
                         text % ("x/acme", "SYNCLINE"))
        bzl = ('def f(ctx):\n    return [ctx.var["MEDIAPIPE_D"], ctx.var.get("MEDIAPIPE_D"), '
               '"MEDIAPIPE_D" in ctx.var, ctx.os.environ.get("MEDIAPIPE_E"), "%s_F"]\n')
        self.assertEqual(self.ported("m.bzl", bzl % "MEDIAPIPE"), bzl % "SYNCLINE")

    def test_what_stays_in_a_command_has_a_line(self):
        self.argument('"""\ncp external/mediapipe/x $@\n"""')
        (line, hand, text), = self.found
        self.assertEqual((line, hand), (3, True))
        self.assertIn('"mediapipe" stays in this command', text)
        self.argument('"echo mediapipe > $@"', files={"mediapipe/u.cc": "using mediapipe::A;\n"})
        self.assertEqual([f[:2] for f in self.found], [(2, True)])
        self.argument('"curl https://github.com/google/mediapipe > $@"')
        self.assertEqual(self.found, [])

    def test_a_label_in_a_text_that_leads_nowhere_is_reported(self):
        self.argument('"$(location //mediapipe/acme:gone) $(location :%s)" % x')
        (line, hand, text), = self.found
        self.assertEqual((line, hand), (2, True))
        self.assertIn("//acme:gone", text)

    def test_texts_about_the_code_stay(self):
        text = '"""See //mediapipe/acme:gone."""\ndef f():\n    """//mediapipe/nowhere:x"""\n'
        self.assertEqual(self.ported("m.bzl", text), text)
        self.assertEqual(self.found, [])


class ShellTest(ScriptCase):

    def test_paths_labels_and_code(self):
        for before, after in (
                ("test -f mediapipe/acme/b.txt\n", "test -f x/acme/b.txt\n"),
                ("bazel build --define MEDIAPIPE_X=1 //mediapipe/acme/c:c @mediapipe//mediapipe/..."
                 "\n",
                 "bazel build --define MEDIAPIPE_X=1 //x/acme/c //x/...\n"),
                ("bazel-bin/mediapipe/acme/c \"${DIR}/mediapipe/acme/b.txt\" $D/mediapipe/acme\n",
                 "bazel-bin/x/acme/c \"${DIR}/x/acme/b.txt\" $D/x/acme\n"),
                ("g++ -DMEDIAPIPE_ACME=1 -I mediapipe/acme --x=./mediapipe/acme/a.h\n",
                 "g++ -DSYNCLINE_ACME=1 -I x/acme --x=./x/acme/a.h\n"),
                ("cat > a.h <<END\n#ifdef MEDIAPIPE_ACME\nnamespace mediapipe {}\nEND\n",
                 "cat > a.h <<END\n#ifdef SYNCLINE_ACME\nnamespace syncline {}\nEND\n"),
                ("grep 'mediapipe::A\\|MediaPipeA' x # y\r\n",
                 "grep 'syncline::A\\|SynclineA' x # y\r\n"),
                ("bazel query //mediapipe/acme/c:all\n", "bazel query //x/acme/c:all\n"),
                ("# mediapipe/acme\nexport MEDIAPIPE_X=1; f $MEDIAPIPE_X\n",
                 "# mediapipe/acme\nexport MEDIAPIPE_X=1; f $MEDIAPIPE_X\n")):
            self.assertEqual(self.ported("t.sh", "#!/bin/sh\n" + before), "#!/bin/sh\n" + after)
            self.assertEqual(self.found, [], before)

    def test_a_script_is_known_by_its_first_line_too(self):
        for first in ("#!/usr/bin/env bash", "#!/bin/sh -e", "#!/bin/dash"):
            self.assertEqual(self.ported("run", first + "\ncat mediapipe/acme/b.txt\n"),
                             first + "\ncat x/acme/b.txt\n")

    def test_names_that_stay_have_one_line(self):
        self.ported("t.sh", "# mediapipe\ncd /src/mediapipe\ncd mediapipe\necho MediaPipe\n"
                    "git clone https://github.com/google-ai-edge/mediapipe.git\n")
        (line, hand, text), = self.found
        self.assertEqual((line, hand), (2, True))
        self.assertIn("and in 1 more lines", text)

    def test_a_label_that_leads_nowhere_is_reported_with_its_line(self):
        self.ported("t.sh", "\nbazel run //mediapipe/acme:gone\n")
        self.assertEqual([f[:2] for f in self.found], [(2, True)])


class CppTest(ScriptCase):

    def test_a_path_in_parts_has_a_line(self):
        for call, count in (
                ('JoinPath("mediapipe", "acme", "b.txt")', 1), ('f("mediapipe", "x")', 0),
                ('f("mediapipe")', 0), ('J("./", "mediapipe/", "acme")', 1)):
            self.ported("p.cc", f"\nauto a = {call};\n")
            self.assertEqual([f[:2] for f in self.found], [(2, True)] * count, call)


class PythonTest(ScriptCase):

    def test_strings_follow_and_prose_stays(self):
        text = ('"""About mediapipe/acme."""\nimport os\n# mediapipe/acme\n'
                "A = os.path.join(r, '%s/acme/b.txt'), f\"{r}/%s/acme/b.txt\"\n"
                'B = os.environ["MEDIAPIPE_ROOT"]\nprint("mediapipe: error", """\n%s::A""")\n'
                'def f():\n  """mediapipe/acme/b.txt"""\n  return r"[%s.A.ext]"\n')
        self.assertEqual(
            self.ported("t.py", text % (("mediapipe",) * 4)),
            (text % ("x", "x", "syncline", "syncline")).replace('f"{r}/x', 'f"{r}/x'))
        self.assertEqual(self.found, [])

    def test_imports_of_the_trees_own_follow(self):
        text = ("from %s.acme import tool\nimport %s.acme.tool\nimport %s.acme.tool as t\n"
                "print(%s.acme.tool.f(), 'mediapipe.acme.tool')\n")
        self.assertEqual(self.ported("t.py", text % (("mediapipe",) * 4)), text % (("x",) * 4))

    def test_other_imports_need_hands(self):
        for text in ("import mediapipe as mp\n", "from mediapipe.acme import a_pb2\n",
                     "from mediapipe.python import solutions\n"):
            self.assertEqual(self.ported("t.py", "import os\n" + text), "import os\n" + text)
            self.assertEqual([f[:2] for f in self.found], [(2, True)])

    def test_parts_of_paths_need_hands(self):
        self.ported("t.py", 'import os\nA = os.path.join("mediapipe", "acme")\n')
        self.assertEqual([f[:2] for f in self.found], [(2, True)])

    def test_what_is_no_python_3_is_told(self):
        text = "print 'mediapipe/acme\nf(\n"
        self.assertEqual(self.ported("t.py", text), text)
        self.assertEqual([f[1] for f in self.found], [True])


class OtherTest(ScriptCase):

    def test_templates_of_code_are_code(self):
        self.assertEqual(self.ported("v.h.in", '#include "mediapipe/acme/a.h"\n@X@ {\n'
                                     "namespace mediapipe {}\n"),
                         '#include "x/acme/a.h"\n@X@ {\nnamespace syncline {}\n')
        self.assertEqual(self.found, [])

    def test_data_that_names_files_is_noted(self):
        for name, hand in (("list.txt", False), ("c.json", False), ("CMakeLists.txt", True),
                           ("run.bat", True)):
            text = 'x\n"mediapipe/acme/b.txt"\n'
            self.assertEqual(self.ported(name, text), text)
            self.assertEqual([f[:2] for f in self.found], [(2, hand)], name)
            self.assertIn('"x/acme/b.txt" here', self.found[0][2])
        for name in ("README.md", "LICENSE", "n.html"):
            self.ported(name, "mediapipe/acme/b.txt\n")
            self.assertEqual(self.found, [])
        self.ported("words.txt", "mediapipe is mediapipe/nowhere/x.txt\n")
        self.assertEqual(self.found, [])


if __name__ == "__main__":
    unittest.main()
