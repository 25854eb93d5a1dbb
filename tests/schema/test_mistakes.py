"""Every kind of mistake in a schema file, with the line and the words that a person is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.schema_folders import GOOD, Mistakes, write

from chartgen.errors import ChartgenError
from chartgen.schema import loader

# What follows ``name: top`` in top.yaml -> line, path and words of the one problem that this is.
FIELDS: dict[str, tuple[str, str]] = {
    "an unknown keyword": (
        "type: string\ndescription: T.\ndefalt: x",
        "4: defalt: the unknown keyword defalt; expected a keyword of the schema language (did you mean default?)",
    ),
    "a text of the wrong type": ("type: string\ndescription: [T]", "3: description: a list; expected a text"),
    "a missing text": ("type: string\ndescription:", "3: description: null; expected a text"),
    "a list of the wrong type": (
        "type: string\ndescription: T.\nenum: 5",
        "4: enum: the number 5; expected a list of values",
    ),
    "a bound of the wrong type": (
        "type: integer\ndescription: T.\nminimum: a\ndefault: 5",
        "4: minimum: the string 'a'; expected a whole number",
    ),
    "a bound that is a boolean": (
        "type: integer\ndescription: T.\nminimum: true",
        "4: minimum: the boolean true; expected a whole number",
    ),
    "a keyword on the wrong kind": (
        "type: string\ndescription: T.\nminimum: 5",
        "4: minimum: minimum on a field of type string; expected minimum only on: intOrString, integer",
    ),
    "unset on a string": (
        "type: string\ndescription: T.\nunset: true",
        "4: unset: unset on a field of type string; expected unset only on: boolean",
    ),
    "unset that is no boolean": (
        "type: boolean\ndescription: T.\nunset: maybe",
        "4: unset: the string 'maybe'; expected true or false",
    ),
    "a default of another type": (
        "type: integer\ndescription: T.\ndefault: '5'",
        "4: default: the string '5'; expected a value of type integer",
    ),
    "a default out of bounds": (
        "type: integer\ndescription: T.\nmaximum: 3\ndefault: 4",
        "5: default: the number 4; expected at most 3",
    ),
    "a default that is null": (
        "type: string\ndescription: T.\ndefault: null",
        "4: default: null; expected a value of type string",
    ),
    "a member of a default of another type": (
        "type: list\ndescription: T.\nitems: {type: integer, description: I.}\ndefault: [1, x]",
        "5: default: the string 'x' at [1]; expected a value of type integer",
    ),
    "an example of another type": (
        "type: string\ndescription: T.\nenum: [a, b]\nexample: c",
        "5: example: the string 'c'; expected one of a, b",
    ),
    "an unknown type": (
        "type: sting\ndescription: T.",
        "2: type: the unknown type sting; expected a builtin or named type (did you mean string?)",
    ),
    "a type like no other": (
        "type: zzz\ndescription: T.",
        "2: type: the unknown type zzz; expected a builtin or named type (declare it under schemas/types/)",
    ),
    "no type": ("description: T.", "1: type: no type; expected a type: builtin or named"),
    "a type that is a list": ("type: [string]\ndescription: T.", "2: type: a list; expected a type: builtin or named"),
    "no description": ("type: string", "1: no description; expected a description"),
    "an empty description": ("type: string\ndescription: ''", "1: no description; expected a description"),
    "an object without members": (
        "type: object\ndescription: T.",
        "1: no properties; expected properties on a field of type object",
    ),
    "a map without values": ("type: map\ndescription: T.", "1: no values; expected values on a field of type map"),
    "a list without items": ("type: list\ndescription: T.", "1: no items; expected items on a field of type list"),
    "a member that is no record": (
        "type: object\ndescription: T.\nproperties:\n  a: 5",
        "5: properties.a: the number 5; expected a field record (a map with type and description)",
    ),
    "items that are no record": (
        "type: list\ndescription: T.\nitems: [a]",
        "4: items: a list; expected a field record",
    ),
    "a required member that is none": (
        "type: object\ndescription: T.\nproperties: {enabled: {type: string, description: A.}}\nrequired:\n  - enable",
        "6: required.0: the required member enable; expected a member (did you mean enabled?)",
    ),
    "a pattern that is none": (
        "type: string\ndescription: T.\npattern: '('",
        (
            "4: pattern: a pattern that does not compile: missing ), unterminated subpattern at position 0; "
            "expected a regular expression"
        ),
    ),
    "something that cannot be read as text": (
        "type: string\ndescription: T.\nreads: [float]",
        "4: reads.0: reads float; expected integer or boolean",
    ),
    "another word for empty": (
        "type: string\ndescription: T.\nempty: kept",
        "4: empty: the string 'kept'; expected value",
    ),
    "another fallback": (
        "type: string\ndescription: T.\nfallback: version",
        "4: fallback: the fallback version; expected appVersion or default",
    ),
    "an unknown surface": (
        "type: string\ndescription: T.\nsurfaces: {clusterpolicy: a}",
        "4: surfaces.clusterpolicy: the surface clusterpolicy; expected one of clusterPolicy, nvidiaDriver, gpuCluster",
    ),
    "a surface without a path": (
        "type: string\ndescription: T.\nsurfaces: {clusterPolicy: 5}",
        "4: surfaces.clusterPolicy: the number 5; expected a dotted path below spec, or false",
    ),
    "an unknown keyword of a CRD": (
        "type: string\ndescription: T.\ncrd: {defualt: a}",
        (
            "4: crd.defualt: the unknown keyword defualt; expected one of default, description, enum, format, listMapKeys, "
            "listType, mapType, maxLength, maximum, minLength, minimum, pattern, required, type, validations"
        ),
    ),
    "a CRD that is no map": (
        "type: string\ndescription: T.\ncrd: 5",
        "4: crd: the number 5; expected a map of what the CRD says",
    ),
    "a deprecation that is no map": (
        "type: string\ndescription: T.\ndeprecated: v1",
        "4: deprecated: the string 'v1'; expected a map with since, use, reason",
    ),
    "a deprecation without a way out": (
        "type: string\ndescription: T.\ndeprecated: {since: v1}",
        "4: deprecated: no use; expected use: the way out",
    ),
    "an unknown keyword of a deprecation": (
        "type: string\ndescription: T.\ndeprecated: {since: v1, use: b, why: c}",
        "4: deprecated.why: the unknown keyword why; expected since, use or reason",
    ),
    "a key that stands twice": (
        "type: string\ndescription: T.\ntype: string",
        "4: type: a second 'type'; expected one only; the first is on line 2",
    ),
    "no YAML": ("type: [string", "3: not YAML: did not find expected ',' or ']'; expected a YAML document"),
}
# Files -> all problems that this is.
FILES: dict[str, tuple[dict[str, str], list[str]]] = {
    "another file name": (
        {"top.yaml": "name: other\ntype: string\ndescription: T."},
        ["schemas/top.yaml:1: name: the name 'other'; expected the file's name, top"],
    ),
    "no name": (
        {"top.yaml": "type: string\ndescription: T."},
        ["schemas/top.yaml:1: name: the name None; expected the file's name, top"],
    ),
    "a list at the top": ({"top.yaml": "- a"}, ["schemas/top.yaml:1: no map at the top; expected a field record"]),
    "an empty file": ({"top.yaml": ""}, ["schemas/top.yaml:1: no map at the top; expected a field record"]),
    "types that are made of each other": (
        {"types/a.yaml": "types:\n  a: {type: b, description: A.}\n  b: {type: a, description: B.}"},
        [
            "schemas/types/a.yaml:2: types.a.type: the type b, which is made of itself; expected a type that ends",
            "schemas/types/a.yaml:3: types.b.type: the type a, which is made of itself; expected a type that ends",
        ],
    ),
    "a type that contains itself": (
        {
            "types/a.yaml": """
                types:
                  tree:
                    type: object
                    description: A tree.
                    properties:
                      branches: {type: list, description: Branches., items: {type: tree, description: A branch.}}
                """,
            "top.yaml": "name: top\ntype: tree\ndescription: T.",
        },
        [
            (
                "schemas/types/a.yaml:6: types.tree.properties.branches.items.type: the type tree, which contains itself; "
                "expected a type that ends"
            )
        ],
    ),
    "a second type of a name": (
        {
            "types/a.yaml": "types:\n  a: {type: string, description: A.}",
            "types/b.yaml": "types:\n  a: {type: string, description: A.}\n  string: {type: string, description: A.}",
        },
        [
            "schemas/types/b.yaml:2: types.a: a second type a; expected one; see schemas/types/a.yaml:2",
            "schemas/types/b.yaml:3: types.string: a second type string; expected one; see the builtin type",
        ],
    ),
    "something beside types": (
        {"types/a.yaml": "types: {}\nkinds: {}"},
        ["schemas/types/a.yaml:2: kinds: the keyword kinds; expected types"],
    ),
    "types that are no map": (
        {"types/a.yaml": "types: 5"},
        ["schemas/types/a.yaml:1: types: the number 5; expected a map of name to type"],
    ),
    "a type that is no record": (
        {"types/a.yaml": "types: {a: 5}", "top.yaml": "name: top\ntype: a\ndescription: T."},
        ["schemas/types/a.yaml:1: types.a: the number 5; expected a field record (a map with type and description)"],
    ),
    "a value in the order that is none": (
        {"chart.yaml": "name: small\norder: [top, bottom]"},
        ["schemas/chart.yaml:2: order.1: the value bottom; expected the name of a schema file"],
    ),
    "an order that is no list": (
        {"chart.yaml": "name: small\norder: 5"},
        ["schemas/chart.yaml:2: order: the number 5; expected a list of values"],
    ),
    "an unknown surface of a CRD": (
        {"crds/a.yaml": "name: a\nsurface: foo"},
        ["schemas/crds/a.yaml:2: surface: the surface 'foo'; expected one of clusterPolicy, nvidiaDriver, gpuCluster"],
    ),
    "a CRD's header that is no map": (
        {"crds/a.yaml": "name: a\ndescription: A.\nheader: 5"},
        ["schemas/crds/a.yaml:3: header: the number 5; expected a map"],
    ),
    "a CRD without a description": (
        {"crds/a.yaml": "name: a\nproperties: {}"},
        ["schemas/crds/a.yaml:1: no description; expected a description"],
    ),
}


@pytest.mark.parametrize(("record", "said"), FIELDS.values(), ids=FIELDS)
def test_a_mistake_in_a_field_is_told(mistakes: Mistakes, record: str, said: str) -> None:
    """File, line, path, what stands there and what should, as one problem."""
    assert [str(problem) for problem in mistakes({"top.yaml": f"name: top\n{record}\n"})] == [
        f"schemas/top.yaml:{said}"
    ]


@pytest.mark.parametrize(("files", "said"), FILES.values(), ids=FILES)
def test_a_mistake_in_a_file_is_told(mistakes: Mistakes, files: dict[str, str], said: list[str]) -> None:
    """Also where it takes more than one field to make the mistake."""
    assert [str(problem) for problem in mistakes(files)] == said


def test_all_mistakes_are_told_at_once(mistakes: Mistakes) -> None:
    """In the order of files and lines, each once, however often a broken type is used."""
    found = mistakes(
        {
            "a.yaml": "name: a\ntype: broken\ndescription: A.\n",
            "top.yaml": "name: top\ntype: broken\nwrong: 1\ndefault: 7\n",
            "types/x.yaml": "types:\n  broken: {type: string, description: B., minimum: 5}\n",
            "zz.yaml": "name: zz\ntype: nope\n",
            "yy.yaml": "a: b: c\n",
        }
    )
    assert [(problem.where, problem.path) for problem in found] == [
        ("schemas/top.yaml:3", "wrong"),
        ("schemas/top.yaml:4", "default"),
        ("schemas/types/x.yaml:2", "types.broken.minimum"),
        ("schemas/yy.yaml:1", ""),
        ("schemas/zz.yaml:2", "type"),
    ]


_RULE = "  - {name: %s, refuse: {set: %s}, message: M., fix: F.}\n"
# A mistake in a value that rules, keys.yaml and chart.yaml name.
FOLLOWED: dict[str, dict[str, str]] = {
    "a key twice": {"a.yaml": "name: a\ntype: string\ndescription: A.\ntype: string\n"},
    "no YAML": {"a.yaml": "name: a\n\ttype: string\n"},
    "another name": {"a.yaml": "name: b\ntype: string\ndescription: A.\n"},
    "an unknown type of a member": {
        "a.yaml": "name: a\ntype: object\ndescription: A.\nproperties:\n  b: {type: nope, description: B.}\n"
    },
    "a type that contains itself": {
        "a.yaml": "name: a\ntype: loop\n",
        "types/x.yaml": "types:\n  loop: {type: loop, description: L.}\n",
    },
}


@pytest.mark.parametrize("files", FOLLOWED.values(), ids=FOLLOWED)
def test_what_follows_from_a_mistake_is_not_told(mistakes: Mistakes, files: dict[str, str]) -> None:
    """One mistake in a value that others name is one line, and not one for each that names it."""
    others = {
        "chart.yaml": "name: small\norder: [a]\n",
        "keys.yaml": "misplaced: {c: a.b}\n",
        "rules.yaml": "rules:\n" + _RULE % ("one", "a.b") + _RULE % ("two", "a.b.c"),
    }
    found = mistakes({**others, **files})
    assert {problem.where.partition(":")[0] for problem in found} <= {"schemas/a.yaml", "schemas/types/x.yaml"}


def test_a_mistake_in_another_value_is_told_beside_it(mistakes: Mistakes) -> None:
    """A broken value says nothing about paths elsewhere."""
    found = mistakes({"a.yaml": "name: a\ntype: nope\n", "rules.yaml": "rules:\n" + _RULE % ("one", "topp")})
    assert [problem.where for problem in found] == ["schemas/a.yaml:2", "schemas/rules.yaml:2"]


def test_a_shared_condition_is_told_once(mistakes: Mistakes) -> None:
    """Where it stands, however many rules use it."""
    rules = "shorthands:\n  - &x {set: topp}\nrules:\n" + _RULE.replace("{set: %s}", "*x ") % "one"
    rules += _RULE.replace("{set: %s}", "*x ") % "two"
    assert [problem.where for problem in mistakes({"rules.yaml": rules})] == ["schemas/rules.yaml:2"]


def test_a_file_with_another_ending_is_told(mistakes: Mistakes) -> None:
    """Nothing would read it, and its author would wonder why nothing changes."""
    said = "a file that nothing reads; expected the ending .yaml"
    found = mistakes({"a.yml": "name: a\n", "types/b.yml": "types: {}\n"})
    assert [str(problem) for problem in found] == [f"schemas/a.yml: {said}", f"schemas/types/b.yml: {said}"]


def test_lines_are_ordered_as_numbers(mistakes: Mistakes) -> None:
    """Line 9 comes before line 10."""
    members = "".join(f"  m{number}: 5\n" for number in range(20))
    found = mistakes({"top.yaml": f"name: top\ntype: object\ndescription: T.\nproperties:\n{members}"})
    assert [int(problem.where.rpartition(":")[2]) for problem in found] == list(range(5, 25))


def test_bytes_that_are_no_text_are_told(tmp_path: Path) -> None:
    """With the line that they are on."""
    folder = write(tmp_path / "schemas", GOOD)
    (folder / "top.yaml").write_bytes(b"name: top\ntype: string\ndescription: \xfc.\n")
    with pytest.raises(ChartgenError) as caught:
        loader.load(folder)
    assert str(caught.value) == "schemas/top.yaml:3: bytes that are no UTF-8; expected a text in UTF-8"
