"""Profiles: the head of a values file, and every way to get it wrong."""

from __future__ import annotations

import pytest

from chartgen import profiles
from chartgen.errors import ChartgenError

DEFAULT = """\
# yaml-language-server: $schema=x.json
# title: All defaults
# summary: Nothing
#   is set.
# expect:
#   objects:
#     set: [B/b, A/a]

# Another comment, which is about the values.
a: 1
"""
HEAD = "# title: t\n# summary: s\n"


@pytest.fixture
def load(tmp_path):
    """Loads profiles given as name=text, with a default beside them."""

    def loader(**texts: str) -> dict[str, profiles.Profile]:
        for name, text in {"default": DEFAULT, **texts}.items():
            (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
        return {profile.name: profile for profile in profiles.load(tmp_path)}

    return loader


def test_the_head_is_read_and_the_values_follow(load):
    """The head ends where the comment does."""
    profile = load()["default"]
    assert (profile.title, profile.summary) == ("All defaults", "Nothing is set.")
    assert profile.objects == ("A/a", "B/b")
    assert profile.values == {"a": 1}


def test_others_add_to_the_default_set_and_take_away(load):
    """A profile that says nothing of objects has those of the default."""
    found = load(
        x=HEAD + "# expect: {objects: {add: [C/c], remove: [A/a]}, clusterPolicy: {}}\n",
        y=HEAD + "# expect: {clusterPolicy: {a.b: 1}}\n",
    )
    assert found["x"].objects == ("B/b", "C/c")
    assert found["y"].objects == ("A/a", "B/b")
    assert found["y"].cluster_policy == {"a.b": 1}
    assert found["y"].values == {}
    assert list(found) == ["default", "x", "y"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "\na: 1\n", "expect: missing"),
        (HEAD + "# expect: {}\n", "expect: missing"),
        (HEAD + "# expect: {objects: {}, clusterPolicy: {}}\n", "expect: missing"),
        ("a: 1\n", "no head"),
        ("# title: t\n# expect: {clusterPolicy: {a: 1}}\n", "summary: missing"),
        (HEAD + "# expects: {}\n# expect: {clusterPolicy: {a: 1}}\n", "expects: unknown"),
        (HEAD + "# expect: {policy: {a: 1}}\n", "expect.policy: unknown"),
        (HEAD + "# expect: {clusterPolicy: [a]}\n", "expect.clusterPolicy: no mapping"),
        (HEAD + "# expect: {objects: {added: [A/b]}}\n", "expect.objects: not understood"),
        (HEAD + "# expect: {objects: {add: [b]}}\n", "expect.objects.add: not understood"),
        (HEAD + "# expect: {objects: {add: [A/a]}}\n", "A/a is in the default set"),
        (HEAD + "# expect: {objects: {remove: [C/c]}}\n", "C/c is not in the default set"),
        (HEAD + "# expect: {objects: {set: [A/a], add: [C/c]}}\n", "set beside add or remove"),
        (HEAD + "# expect: {clusterPolicy: {a: 1}}\n\n- 1\n", "a list; expected a mapping"),
        (HEAD + "# expect: {clusterPolicy: {a: 1}}\n\na: 1\na: 2\n", "a second 'a'"),
        (HEAD + "# expect: [\n", "not YAML"),
        (HEAD + "# apis: a/v1\n# expect: {clusterPolicy: {a: 1}}\n", "apis: not understood"),
        (HEAD + "# expect: {fields: {A/a: [b]}}\n", "expect.fields: not understood"),
        (HEAD + "# expect: {podSecurity: {restricted: [A/a]}}\n", "expect.podSecurity: not understood"),
        (HEAD + "# expect: {podSecurity: {baseline: A/a}}\n", "expect.podSecurity.baseline: not understood"),
        (HEAD + "# expect: {podSecurity: {baseline: [C/c]}}\n", "C/c is not among the objects"),
    ],
)
def test_a_mistake_is_named(load, text, message):
    """A profile that expects nothing could not fail, so it is a mistake too."""
    with pytest.raises(ChartgenError) as caught:
        load(x=text)
    assert message in str(caught.value)
    assert "x.yaml" in str(caught.value)


def test_all_mistakes_are_named_at_once(load):
    """Of all files."""
    with pytest.raises(ChartgenError) as caught:
        load(x="a: 1\n", y=HEAD)
    assert [problem.where.rpartition("/")[2] for problem in caught.value.problems] == ["x.yaml", "y.yaml"]


def test_without_a_default_a_set_is_needed(tmp_path):
    """There is nothing to add to."""
    (tmp_path / "x.yaml").write_text(HEAD + "# expect: {clusterPolicy: {a: 1}}\n", encoding="utf-8")
    with pytest.raises(ChartgenError, match=r"objects\.set: missing"):
        profiles.load(tmp_path)


def test_an_empty_folder_is_a_mistake(tmp_path):
    """Nothing to judge is not a pass."""
    with pytest.raises(ChartgenError, match="no profile"):
        profiles.load(tmp_path)


def test_what_else_a_head_may_say(load):
    """APIs of the cluster, members of other objects, and the objects that need more than the restricted level."""
    profile = load(
        x=HEAD + "# apis: [c/v1/D]\n# expect: {fields: {A/a: {spec.b: 1}}, podSecurity: {baseline: [A/a]}}\n"
    )["x"]
    assert profile.apis == ("c/v1/D",)
    assert profile.fields == {"A/a": {"spec.b": 1}}
    assert profile.pod_security == {"A/a": profiles.Level.BASELINE}
    assert profile.level is profiles.Level.BASELINE


def test_pod_security_is_inherited_for_objects_that_are_there(load):
    """What the default says of an object holds for it elsewhere, unless a profile says it all anew."""
    found = load(
        default=DEFAULT.replace("[B/b, A/a]", "[B/b, A/a]\n#   podSecurity: {privileged: [A/a], baseline: [B/b]}"),
        x=HEAD + "# expect: {objects: {remove: [A/a]}}\n",
        y=HEAD + "# expect: {clusterPolicy: {a: 1}, podSecurity: {}}\n",
    )
    assert found["default"].level is profiles.Level.PRIVILEGED
    assert found["x"].pod_security == {"B/b": profiles.Level.BASELINE}
    assert (found["y"].pod_security, found["y"].level) == ({}, profiles.Level.RESTRICTED)


def test_a_star_takes_many_away(load):
    """It stands for any part of a name, and has to stand for something."""
    assert load(x=HEAD + "# expect: {objects: {remove: ['*/a']}}\n")["x"].objects == ("B/b",)
    with pytest.raises(ChartgenError, match=r"\*/c is not in the default set"):
        load(x=HEAD + "# expect: {objects: {remove: ['*/c']}}\n")


def test_the_body_is_what_follows_the_head(load):
    """Comments on the values are part of it."""
    assert load()["default"].body == "# Another comment, which is about the values.\na: 1\n"
