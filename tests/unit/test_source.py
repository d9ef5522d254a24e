"""Checks on the source itself: what the design forbids, and what every public thing must say of itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from simcore.kernels import _RESERVED

TOP = Path(__file__).parents[2]
GAMES = ("knights", "voyage", "mech", "gangs")
CORE = sorted(path.relative_to(TOP).as_posix() for path in (TOP / "simcore").rglob("*.py"))
LAB = sorted(path.relative_to(TOP).as_posix() for path in (TOP / "experiments").rglob("*.py"))
KERNEL_LINES = 40
KERNEL_ARGUMENTS = 8
WITH_FLOATS = {f"simcore/knights/{name}.py" for name in ("book", "equilibrium", "minimax", "policy", "tree")}
"""Where kernels work out values and not outcomes: floats are their matter."""
ADDERS = {"append", "add", "update", "extend", "insert", "setdefault"}
CHANGERS = ADDERS | {"pop", "popitem", "clear", "remove", "sort", "reverse"}

core = pytest.mark.parametrize("path", CORE)
all_code = pytest.mark.parametrize("path", CORE + LAB)


@cache
def tree(path: str) -> ast.Module:
    """The syntax of a file."""
    return ast.parse((TOP / path).read_text("utf-8"), path)


def names(node: ast.AST) -> Iterator[str]:
    """Every dotted name that stands in the syntax, as it is written: `np.random.default_rng`, `prange`."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name | ast.Attribute):
            yield ast.unparse(part)


def imports(node: ast.Module) -> set[str]:
    """Every module that a file imports, anywhere in it; `from a import b` counts as `a` and `a.b`."""
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Import):
            found |= {alias.name for alias in part.names}
        elif isinstance(part, ast.ImportFrom):
            assert part.level == 0, "imports name their module in full"
            found |= {part.module or ""} | {f"{part.module}.{alias.name}" for alias in part.names}
    return found


def is_kernel(node: ast.FunctionDef) -> bool:
    """Whether a function is compiled: a `kernel`, an `entry` or the compiled body of an overload."""
    return any(ast.unparse(mark) in ("kernel", "entry", "inlined") for mark in node.decorator_list)


def kernels(node: ast.Module) -> list[ast.FunctionDef]:
    """The functions of a file that are compiled."""
    return [part for part in ast.walk(node) if isinstance(part, ast.FunctionDef) and is_kernel(part)]


def outlived(body: list[ast.stmt]) -> Iterator[str]:
    """Arrays that a kernel makes and mentions for the last time where it takes a record out of them: compiled code
    frees them there, and a record holds none."""
    made = set[str]()
    for i, statement in enumerate(body):
        if not isinstance(statement, ast.Assign):
            continue
        target = statement.targets[-1]
        several = isinstance(statement.value, ast.Tuple) and isinstance(target, ast.Tuple)
        pairs = zip(target.elts, statement.value.elts, strict=True) if several else [(target, statement.value)]
        later = {name for after in body[i + 1 :] for name in names(after)}
        for place, value in pairs:
            if isinstance(value, ast.Call) and ast.unparse(value.func) in ("np.zeros", "np.empty"):
                made.add(ast.unparse(place))
            elif isinstance(value, ast.Subscript) and ast.unparse(value.value) in made - later:
                yield ast.unparse(value.value)


def faults_of_kernel(kernel: ast.FunctionDef) -> list[str]:
    """What a kernel does that kernels may not do."""
    body = kernel.body[1:] if ast.get_docstring(kernel) else kernel.body
    found = []
    if kernel.end_lineno is not None and body and kernel.end_lineno - body[0].lineno + 2 > KERNEL_LINES:
        found.append(f"over {KERNEL_LINES} lines")
    if len(kernel.args.args) > KERNEL_ARGUMENTS:
        found.append(f"over {KERNEL_ARGUMENTS} arguments")
    found += [f"{name}[...] outlives {name}" for name in outlived(body)]
    for part in (inner for statement in body for inner in ast.walk(statement)):
        if isinstance(part, ast.Dict | ast.List | ast.Set | ast.ListComp | ast.SetComp | ast.DictComp):
            found.append("a dict, list or set")
        if isinstance(part, ast.Global | ast.Nonlocal | ast.Raise | ast.Try | ast.Yield | ast.FunctionDef):
            found.append(f"a statement that kernels don't have: {type(part).__name__}")
        if isinstance(part, ast.BinOp | ast.AugAssign) and isinstance(part.op, ast.Div):
            found.append("a division that makes a float")
        if isinstance(part, ast.Constant) and isinstance(part.value, float):
            found.append("a float")
        if isinstance(part, ast.Call) and ast.unparse(part.func) == kernel.name:
            found.append("recursion")
    return found


def undocumented(node: ast.Module) -> list[str]:
    """Public functions, classes and methods without a docstring; dunder methods explain themselves."""
    found = [] if ast.get_docstring(node) else ["the module"]
    stack: list[ast.AST] = [node]
    while stack:
        for child in getattr(stack.pop(), "body", []):
            if isinstance(child, ast.ClassDef | ast.FunctionDef) and not child.name.startswith("_"):
                if not ast.get_docstring(child):
                    found.append(child.name)
                if isinstance(child, ast.ClassDef):
                    stack.append(child)
    return found


def changed_globals(node: ast.Module) -> set[str]:
    """Names of a module that its functions change: by `global`, by an index, or by a method that changes."""
    mine = {
        target.id
        for statement in node.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
        if isinstance(target, ast.Name)
    }
    found: set[str] = set()
    for function in (part for part in ast.walk(node) if isinstance(part, ast.FunctionDef | ast.Lambda)):
        for part in ast.walk(function):
            if isinstance(part, ast.Global):
                found |= set(part.names)
            if isinstance(part, ast.Subscript | ast.Attribute) and isinstance(part.ctx, ast.Store | ast.Del):
                found |= {ast.unparse(part.value)} & mine
            if isinstance(part, ast.Attribute) and part.attr in CHANGERS:
                found |= {ast.unparse(part.value)} & mine
    return found


def field_names(node: ast.Module) -> Iterator[str]:
    """The names that stand first in the tuples given to `record(...)`, and in `Column(...)`."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and ast.unparse(part.func) in ("record", "Column"):
            firsts = [a.elts[0] if isinstance(a, ast.Tuple) else a for a in part.args]
            literal = [first.value for first in firsts if isinstance(first, ast.Constant)]
            yield from literal[:1] if ast.unparse(part.func) == "Column" else literal


def test_there_is_source_to_check() -> None:
    assert {"simcore/streams.py", "simcore/kernels.py", "simcore/game.py"} <= set(CORE)
    assert {"experiments/cli.py"} <= set(LAB)
    assert sum(len(kernels(tree(path))) for path in CORE) > 10


@all_code
def test_nothing_prints(path: str) -> None:
    assert "print" not in set(names(tree(path)))


@all_code
def test_every_public_thing_has_a_docstring(path: str) -> None:
    assert not undocumented(tree(path))


RUNS = {
    "modules that run what they read, or start a program": re.compile(
        r"(pickle|cloudpickle|dill|marshal|shelve|yaml|runpy|code|codeop|pty|webbrowser|subprocess|multiprocessing|ctypes"
        r"|cffi|imp|importlib\.(machinery|util)|zipimport|zipapp|pydoc|timeit|cProfile|lxml|xml|tables|h5py|cython)(\..+)?"
    ),
    "calls that run a text, import by a name, or read a file of objects": re.compile(
        r"eval|exec|compile|__import__|breakpoint|(.+\.)?(import_module|load_module|exec_module|run_path|system|popen"
        r"|startfile|enable_load_extension|load_extension|create_function|from_string|loads_pickle|read_pickle|to_pickle"
        r"|read_hdf|HDFStore|read_sql.*|read_html|read_xml|read_excel|read_clipboard|eval|query|unsafe_load|full_load"
        r"|fromfile|memmap|loadtxt|genfromtxt|fromregex|find_spec|Markup)|os\.(exec|spawn|posix_spawn)\w*"
        r"|(np|numpy|joblib|torch)\.(load|dump)|(pickle|marshal|dill|cloudpickle)\.\w+|subprocess\.\w+"
    ),
    "options that let a reader run what it reads": re.compile(r"allow_pickle|shell|unsafe.*|trust.*"),
}
"""What could run code that a file brings in (FR1)."""

MAY_RUN = {
    # compiled rules are numba's pickles of machine code: they run as they are read, whatever their form; see the store
    "simcore/store.py": {"pickle", "pickle.loads"},
    # our own games and solvers, by the names that GAMES and a game's `solver` have; not by any that a file has
    "simcore/game.py": {"importlib.import_module"},
    "experiments/facts.py": {"importlib.import_module"},
    "experiments/runner.py": {"importlib.import_module"},
    # our own process, which compiles ahead
    "experiments/ahead.py": {"subprocess", "subprocess.run", "subprocess.TimeoutExpired"},
    # whether an extra is installed
    "experiments/ready.py": {"importlib.util", "importlib.util.find_spec", "find_spec"},
    # our own style and script, into a page that is escaped elsewhere
    "experiments/pages.py": {"Markup"},
}


def may_run(node: ast.Module) -> set[str]:
    """Every name in a file that could run code that a file brings in."""
    modules, calls, options = RUNS.values()
    found = {name for name in imports(node) if modules.fullmatch(name)}
    found |= {
        name for name in imports(node) if calls.fullmatch(name.rpartition(".")[2]) and name.startswith("builtins")
    }
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            name = ast.unparse(part.func)
            named = {word.arg or "" for word in part.keywords}
            method = re.sub(r"^.*\)\.", "x.", name, flags=re.S)
            found |= {method} if calls.fullmatch(method) and method != "re.compile" else set()
            found |= {word for word in named if options.fullmatch(word)}
    return found


@all_code
def test_nothing_that_a_file_brings_in_is_run(path: str) -> None:
    """FR1: no config, pack, run folder, ledger or table may run code: what could, stands in a list with its reason."""
    assert may_run(tree(path)) <= MAY_RUN.get(path, set())


def test_templates_escape_everything() -> None:
    """FR1: no title is a script: only what is Markup is not escaped, which experiments/pages.py alone makes."""
    for file in sorted((TOP / "experiments" / "templates").iterdir()):
        text = file.read_text("utf-8")
        assert not re.search(
            r"\|\s*safe\b|autoescape|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text
        )
    assert {"Environment(autoescape=True"} == set(
        re.findall(r"Environment\([^,]*", "".join((TOP / path).read_text("utf-8") for path in LAB))
    )


@all_code
def test_one_module_writes_and_reads_csv(path: str) -> None:
    """FB6, FR6: what it writes holds no formulas, and what it reads is as it was written."""
    if path != "experiments/csv_files.py":
        assert "csv" not in imports(tree(path))
        ours = {"stats.to_csv", "csv_files.read_summary"}
        assert not {name for name in set(names(tree(path))) - ours if re.search(r"\.(to|read)_csv$|\bcsv\.\w", name)}
        assert not {name for name in imports(tree(path)) if name.startswith("pyarrow.csv")}


@core
def test_random_words_come_from_streams_alone(path: str) -> None:
    assert not {name for name in names(tree(path)) if re.match(r"(np|numpy)\.random|random\b|secrets\b", name)}
    assert not imports(tree(path)) & {"random", "secrets", "numpy.random"}


@core
def test_no_compiler_option_that_changes_results_or_starts_threads(path: str) -> None:
    used = set(names(tree(path)))
    options = {word.arg for word in ast.walk(tree(path)) if isinstance(word, ast.keyword)}
    assert not options & {"fastmath", "parallel", "boundscheck", "error_model", "inline"}
    assert not {name for name in used if name.split(".")[-1] in ("prange", "jitclass", "vectorize", "guvectorize")}


@core
def test_only_the_kernels_room_compiles_and_makes_dtypes(path: str) -> None:
    if path != "simcore/kernels.py":
        used = set(names(tree(path)))
        assert not used & {"numba.njit", "njit", "numba.jit", "jit", "np.dtype", "np.recarray"} - annotations(path)


def annotations(path: str) -> set[str]:
    """The names that a file uses in annotations only."""
    inside = [
        part
        for node in ast.walk(tree(path))
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if part is not None
    ]
    within = [name for part in inside for name in names(part)]
    everywhere = list(names(tree(path)))
    return {name for name in within if everywhere.count(name) == within.count(name)}


@core
def test_no_module_changes_its_own_globals(path: str) -> None:
    # the plain twins are a memo of what never changes, and numba's cache folder is set only while it is read; the texts
    # of our files are what they were at the import
    allowed = {"simcore/kernels.py": {"_PLAIN", "SETTINGS"}, "simcore/loaded.py": {"_TEXTS", "_STAMPS", "_CHANGED"}}
    assert changed_globals(tree(path)) <= allowed.get(path, set())


@core
def test_arrows_point_down_inside_simcore(path: str) -> None:
    own = path.split("/")[1] if path.count("/") > 1 else None
    for module in imports(tree(path)):
        parts = module.split(".")
        assert parts[0] not in (
            "experiments",
            "tests",
            "matplotlib",
            "pandas",
            "joblib",
            "typer",
            "rich",
            "sqlite3",
        )
        if parts[0] == "simcore" and len(parts) > 1:
            assert parts[1] not in GAMES or parts[1] == own, f"{path} imports {module}"


@pytest.mark.parametrize("path", LAB)
def test_experiments_know_no_game(path: str) -> None:
    for module in imports(tree(path)):
        parts = module.split(".")
        assert parts[0] != "tests"
        assert not (parts[0] == "simcore" and len(parts) > 1 and parts[1] in GAMES), f"{path} imports {module}"


@core
def test_kernels_do_what_kernels_may(path: str) -> None:
    allowed = {"a division that makes a float", "a float"} if path in WITH_FLOATS else set()
    found = {kernel.name: set(faults_of_kernel(kernel)) - allowed for kernel in kernels(tree(path))}
    assert not {name: faults for name, faults in found.items() if faults}


@core
def test_no_field_is_called_like_a_method_of_records(path: str) -> None:
    assert not set(field_names(tree(path))) & _RESERVED


def test_state_comes_before_tables_stream_and_journal() -> None:
    order = ["s", "t", "stream", "journal"]
    for path in CORE:
        for kernel in kernels(tree(path)):
            leading = [argument.arg for argument in kernel.args.args if argument.arg in order]
            assert leading == [name for name in order if name in leading], f"{path}: {kernel.name}"
            if "s" in leading:
                assert [argument.arg for argument in kernel.args.args][: len(leading)] == leading, kernel.name


SAMPLE = '''
"""A module with one of everything that is forbidden."""
CACHE = {}
LIST: list[int] = []

@kernel
def bad(a, b, c, d, e, f, g, h, i):
    """Says so."""
    x = [1]
    if a:
        raise ValueError
    return bad(a / 2, 0.5)

def open_secret():
    CACHE["a"] = 1
    LIST.append(2)
    global WORD
    record(("round", int), ("fine", int))
    Column("min", "unit", "about")

class Kind:
    """Documented."""
    def method(self): ...
'''


def test_the_checks_find_what_is_planted() -> None:
    planted = ast.parse(SAMPLE)
    (bad,) = kernels(planted)
    assert set(faults_of_kernel(bad)) == {
        "over 8 arguments",
        "a dict, list or set",
        "a statement that kernels don't have: Raise",
        "a division that makes a float",
        "a float",
        "recursion",
    }
    assert undocumented(planted) == ["open_secret", "method"]
    assert changed_globals(planted) == {"CACHE", "LIST", "WORD"}
    assert set(field_names(planted)) == {"round", "fine", "min"}
    long = ast.parse("@kernel\ndef long(a):\n" + "    a += 1\n" * 39 + "    return a\n")
    assert faults_of_kernel(kernels(long)[0]) == ["over 40 lines"]
    lost = ast.parse("@entry\ndef play(n):\n    made, b = np.zeros(1, A), 1\n    s = made[0]\n    go(s)")
    assert faults_of_kernel(kernels(lost)[0]) == ["made[...] outlives made"]
    assert imports(ast.parse("import a.b\ndef f():\n    from c import d")) == {"a.b", "c", "c.d"}


@pytest.mark.parametrize(
    "line",
    [
        "import pickle",
        "from yaml import load",
        "import xml.etree.ElementTree as e",
        "eval(text)",
        "f(exec(text))",
        "pd.read_pickle(path)",
        "pd.DataFrame().eval(text)",
        "table[table.a > 1].query(text)",
        "np.load(path)",
        "np.load(path, allow_pickle=True)",
        "joblib.load(path)",
        "os.system(text)",
        "os.execv(a, b)",
        "connection.enable_load_extension(True)",
        "importlib.import_module(name)",
        "__import__(name)",
        "world.from_string(text)",
        "f(text, shell=True)",
        "compile(text, '', 'exec')",
    ],
)
def test_what_runs_a_file_is_found(line: str) -> None:
    """FR1: the check on the source would notice each way."""
    assert may_run(ast.parse(line))
    assert not may_run(ast.parse("re.compile(x); game.load(pack); json.loads(x); tomllib.load(f); found.compiled()"))
