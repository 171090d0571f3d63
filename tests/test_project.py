"""Files at the top of the project that must agree with each other."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = (
    "requirements.txt",
    "requirements-dev.txt",
    "requirements-uv.txt",
    "requirements-windows.txt",
)
DOCUMENTS = (
    "README.md",
    "LIESMICH.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    *(f"docs/{file.name}" for file in (ROOT / "docs").glob("*.md")),
)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def pins(name: str) -> dict[str, str]:
    """Return the pins of a requirements file: name → version, for every system."""
    return dict(re.findall(r"^([\w.-]+(?:\[[\w,]+\])?)==([^\\\n; ]+)", read(name), re.M))


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_everything_to_install_is_pinned_with_hashes_and_without_addresses(name):
    text = read(name)
    pinned = re.split(r"^(?=[\w.-]+(?:\[[\w,]+\])?==)", text, flags=re.M)[1:]

    assert len(pinned) == len(pins(name)) >= 1
    assert [part.splitlines()[0] for part in pinned if "--hash=sha256:" not in part] == []
    assert re.findall(r"\w+://|^-|^ +--(?!hash)|@ ", text, re.M) == []


def test_tests_run_on_the_same_versions_as_the_program():
    program, tests = pins("requirements.txt"), pins("requirements-dev.txt")

    assert {name: tests.get(name) for name in program} == program


@pytest.mark.parametrize(
    "name", ["requirements", "requirements-dev", "requirements-uv", "requirements-windows"]
)
def test_dependencies_are_pinned_and_have_a_reason(name):
    asked = re.findall(r"^([A-Za-z][\w.-]*)", read(f"{name}.in"), re.M)
    reasons = read("docs/architecture.md").split("## Dependencies")[1].lower()

    assert asked
    pinned = {re.sub(r"\[.*", "", each) for each in pins(f"{name}.txt")}
    assert [each for each in asked if each.lower() not in pinned] == []
    assert [each for each in asked if not re.search(rf"\b{each.lower()}\b", reasons)] == []


def test_node_tools_are_pinned_with_hashes_for_every_system():
    lock = json.loads(read("package-lock.json"))["packages"]
    asked = lock.pop("")["devDependencies"]
    parts = {name.removeprefix("node_modules/"): part for name, part in lock.items()}
    needed = {name for part in parts.values() for name in part.get("optionalDependencies", {})}

    assert asked == json.loads(read("package.json"))["devDependencies"]
    assert {name: parts[name]["version"] for name in asked} == asked
    assert set(parts) == set(asked) | needed
    assert {part["integrity"].split("-")[0] for part in parts.values()} == {"sha512"}
    assert [name for name, part in parts.items() if "resolved" in part] == []


def test_tools_for_scripts_and_styles_have_their_reason():
    reasons = read("docs/architecture.md").split("## Dependencies")[1]

    asked = json.loads(read("package.json"))["devDependencies"]
    assert [name for name in asked if f"{name} |" not in reasons] == []


def test_no_line_of_a_template_is_longer_than_a_screen_is_wide():
    files = [file for file in (ROOT / "templates").rglob("*.*") if file.is_file()]

    assert len(files) > 200
    assert [
        f"{file.relative_to(ROOT)}:{number}"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 120
    ] == []


def test_columns_are_styled_by_name_not_by_place():
    """A column that is added would move the others' widths, or their places on a phone."""
    rules = [
        (file.name, " ".join(selector.split()), declared, file.parent.name == "print")
        for file in (ROOT / "static" / "css").rglob("*.css")
        for selector, declared in re.findall(
            r"([^{}]*)\{([^{}]*)\}", re.sub(r"(?s)/\*.*?\*/", "", file.read_text("utf-8"))
        )
    ]
    of_paper = [
        (name, selector)
        for name, selector, declared, is_print in rules
        if is_print and "-child" in selector and re.search(r"(?<!-)\bwidth:", declared)
    ]
    of_cells = [
        (name, selector)
        for name, selector, declared, _is_print in rules
        if re.search(r"\bt[dh]:[^ ]*-child", selector)
        and re.search(r"grid-(?:area|column|row)|display: none", declared)
    ]

    assert len(rules) > 1_000
    assert of_paper + of_cells == []


def test_no_second_lock_file_with_addresses():
    assert not (ROOT / "uv.lock").exists()


# Of the hall only, of a developer, or fixed in the container.
NOT_IN_THE_CONTAINER = {"TLS_CERT", "TLS_KEY", "HTTP_PORT", "DATA_DIR", "DEBUG"}
READ_BY_DOCKER = {"POSTGRES_PASSWORD", "DATABASE_MEMORY", "PROGRAM_MEMORY", "BIND", "PORT"}


def test_example_program_and_container_name_the_same_settings():
    reading = r'(?:_env\.\w+|_required|_choice)\(\s*"(\w+)"'
    read_by_program = set(re.findall(reading, read("romme_site/env.py")))
    read_by_program |= {"WORKERS", "THREADS", "HTTP_PORT"}  # before Django is set up
    explained = set(re.findall(r"^#?([A-Z_]+)=", read(".env.example"), re.M))
    compose = read("docker-compose.yml")
    handed_on = set(re.findall(r"^ {6}([A-Z_]+): \$\{\1\b", compose, re.M))
    asked_for = set(re.findall(r"\$\{([A-Z_]+)", compose))

    assert explained == read_by_program | READ_BY_DOCKER
    assert handed_on - READ_BY_DOCKER == read_by_program - NOT_IN_THE_CONTAINER
    assert asked_for == handed_on | READ_BY_DOCKER


def test_example_settings_hold_no_secret():
    assert re.findall(r"^(?:SECRET_KEY|POSTGRES_PASSWORD)=(.*)$", read(".env.example"), re.M) == [
        "",
        "",
    ]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_and_commands_in_the_documents_exist(name):
    text = read(name)
    targets = set(re.findall(r"^([a-z]+):", read("Makefile"), re.M))
    links = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in link]

    assert [link for link in links if not ((ROOT / name).parent / link).exists()] == []
    assert set(re.findall(r"(?:^ {4}|`)make ([a-z]+)", text, re.M)) <= targets


def test_both_readmes_have_the_same_sections_links_and_commands():
    def parts(name: str) -> tuple[int, set[str], set[str]]:
        text = read(name).replace("static/manual/de/", "static/manual/en/")
        links = set(re.findall(r"\]\(([^)]+)\)", text)) - {"README.md", "LIESMICH.md"}
        commands = set(re.findall(r"`(?:make|romme-turnier) ([\w-]+)", text))
        return text.count("\n## "), links, commands

    assert parts("README.md") == parts("LIESMICH.md")


def test_every_file_named_by_contributing_exists():
    named = re.findall(r"`([\w.]+/[\w./]+)`", read("CONTRIBUTING.md"))

    assert len(named) > 15
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_threat_model_is_linked_and_names_existing_commands_and_files():
    text, commands = read("docs/threats.md"), read("romme_site/command/arguments.py")
    quoted = re.findall(r"`([a-z]+-[a-z]+)(?: [^`]*)?`", text)

    assert len(set(quoted)) >= 3
    assert [command for command in quoted if f'"{command}"' not in commands] == []
    for name in ("README.md", "LIESMICH.md", "SECURITY.md"):
        assert "(docs/threats.md)" in read(name)
    assert "(threats.md)" in read("docs/architecture.md")
    assert "(SECURITY.md)" in read("README.md")
    assert len(text.split()) < 950  # one page


def test_the_newest_changes_are_those_of_this_version():
    newest = re.findall(r"^## ([\d.]+)", read("CHANGELOG.md"), re.M)[0]

    assert f'__version__ = "{newest}"' in read("romme_site/__init__.py")


def test_the_map_names_every_package_and_folder():
    chapter = read("docs/architecture.md").split("## Map")[1].split("## Six ways")[0]
    packages = {
        file.parent.relative_to(ROOT)
        for top in ("romme_site", "scoring", "tournaments", "scripts", "benchmarks")
        for file in (ROOT / top).rglob("*.py")
    }
    folders = {str(each) for each in packages if each.name not in {"commands", "__pycache__"}}
    others = {"templates", "static", "tests", "docs", "data"}

    missing = [each for each in folders | others if f"{Path(each).name}/" not in chapter]

    assert sorted(missing) == []


def test_continuous_integration_can_be_started():
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def _third_party_imports() -> set[str]:
    """Return the top-level names that the program imports while it runs."""
    names = set()
    for folder in ("romme_site", "scoring", "tournaments"):
        for file in (ROOT / folder).rglob("*.py"):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            names |= {name.split(".")[0] for name in _imported_at_run_time(tree)}
    return names - sys.stdlib_module_names - {"romme_site", "scoring", "tournaments"}


def _imported_at_run_time(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
        return
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module
    for child in ast.iter_child_nodes(node):
        yield from _imported_at_run_time(child)


def test_every_import_is_a_declared_dependency():
    """A package that only the tools bring along would be missing on the organiser's laptop."""
    asked = set(re.findall(r"^([a-z][\w.-]*)", read("requirements.in").lower(), re.M))
    known = packages_distributions()

    missing = [
        name
        for name in sorted(_third_party_imports())
        if not asked & {known_as.lower().replace("_", "-") for known_as in known.get(name, [])}
    ]

    assert missing == []


def test_no_link_is_in_the_repository():
    """A link to installed packages would take their place wherever it is checked out."""
    git = ("git", "-C", str(ROOT), "ls-files", "--stage")
    listed = subprocess.run(git, capture_output=True, text=True, check=True).stdout

    assert [line for line in listed.splitlines() if line.startswith("120000")] == []
