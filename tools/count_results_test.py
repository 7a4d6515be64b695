"""A test counts once, as passed only if it passed."""
import json
import unittest

import count_results


def configured(label, kind="cc_test rule"):
    return {"id": {"targetConfigured": {"label": label}},
            "configured": {"targetKind": kind}}


def summary(label, status):
    return {"id": {"testSummary": {"label": label}},
            "testSummary": {"overallStatus": status}}


def skipped(label):
    return {"id": {"targetCompleted": {"label": label}},
            "aborted": {"reason": "SKIPPED"}}


class CountResultsTest(unittest.TestCase):

    def count(self, *events, needed=()):
        return count_results.count((json.dumps(e) for e in events), needed)

    def test_only_passed_counts_as_passed(self):
        for status in ("FAILED", "TIMEOUT", "FLAKY", "FAILED_TO_BUILD",
                       "NO_STATUS", "INCOMPLETE"):
            self.assertEqual(
                self.count(configured("//:a"), configured("//:b"),
                           summary("//:a", "PASSED"), summary("//:b", status)),
                ({"//:a"}, {"//:b"}))

    def test_a_test_without_a_result_failed(self):
        self.assertEqual(self.count(configured("//:a")), (set(), {"//:a"}))

    def test_a_skipped_test_does_not_count(self):
        self.assertEqual(self.count(configured("//:a"), skipped("//:a")),
                         (set(), set()))

    def test_a_skipped_test_that_is_needed_failed(self):
        events = [configured("//pages/live:a"), skipped("//pages/live:a"),
                  configured("//gpu:b"), skipped("//gpu:b")]
        self.assertEqual(self.count(*events, needed=["//pages/", "//x:"]),
                         (set(), {"//pages/live:a"}))

    def test_what_is_no_test_does_not_count(self):
        self.assertEqual(
            self.count(configured("//:a", kind="cc_library rule")),
            (set(), set()))

    def test_the_logs_of_failed_tests_are_found(self):
        def result(label, status):
            return json.dumps({
                "id": {"testResult": {"label": label}},
                "testResult": {"status": status, "testActionOutput": [
                    {"name": "test.log", "uri": f"file:///t{label[2:]}/a%20b"},
                    {"name": "test.xml", "uri": "file:///other"}]}})
        self.assertEqual(
            list(count_results.logs_of_failures(
                [result("//:a", "PASSED"), result("//:b", "TIMEOUT")])),
            [("//:b", "/t:b/a b")])

    def test_of_a_long_log_failures_and_its_end_are_quoted(self):
        log = ["x" * 1000] * 500 + ["a.cc:7: Failure", "Expected: 1"]
        log += ["x" * 1000] * 500 + ["the end"]
        quoted = count_results.quote(log)
        self.assertEqual(quoted[:2], ["a.cc:7: Failure", "Expected: 1"])
        self.assertEqual(quoted[-1], "the end")
        self.assertLess(len("".join(quoted)), 30 * 240)


if __name__ == "__main__":
    unittest.main()
