"""Finding and loading claims: by path, by installed entry point, under a synthetic package.

A *library* is a folder with one folder per source, each holding ``statements.toml``, claim modules and
the shared models of that source. Modules are loaded under a package named after the library's path,
so that installing theorycheck never takes the import name ``claims`` and workers elsewhere can load
the same files from path and content. Inside a source folder, modules import each other relatively.
"""

from __future__ import annotations

import hashlib
import importlib
import re
import sys
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path

from theorycheck.claims.covering import bind
from theorycheck.claims.functions import ClaimError
from theorycheck.claims.legs import leg
from theorycheck.claims.model import Claim, claim
from theorycheck.evidence.origin import Origin
from theorycheck.evidence.reads import loaded_with, watching
from theorycheck.library.content import Content, content_of, imported
from theorycheck.library.independence import check_independence
from theorycheck.library.statements import check_hypotheses, check_statements
from theorycheck.sources.clauses import clauses_of

ENTRY_POINT = "theorycheck.claims"
REGISTER = "statements.toml"


@dataclass(frozen=True)
class Loaded:
    """A claim with where it came from. ``content``: digest of ``made_from``, its module and all that
    this reaches."""

    claim: Claim
    source: str
    file: Path
    content: str
    draft: bool = False
    made_from: Content = field(default_factory=Content)
    broken: bool = False
    """Whether it stands for the claims of a file that cannot be loaded."""

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def title(self) -> str:
        return self.claim.title

    @property
    def role(self) -> str:
        return self.claim.role

    @property
    def encodes(self) -> str:
        return self.claim.encodes

    @property
    def expected(self) -> str:
        """The verdict that the author expects."""
        return self.claim.expect

    @property
    def states(self) -> tuple[str, ...]:
        """Ids of the statements that it encodes."""
        return tuple(self.claim.states)

    @property
    def origin(self) -> Origin:
        """What its evidence is filed by."""
        return Origin(
            self.claim.id,
            self.content,
            external=any(not lg.arithmetic.controlled for lg in self.claim.legs),
            proof=any(lg.arithmetic.proves for lg in self.claim.legs),
            made_from=self.made_from,
            folder=self.file.parent,
        )


@dataclass(frozen=True)
class Library:
    """A folder of sources, or a single file (a draft)."""

    root: Path
    draft: bool = False

    @property
    def package(self) -> str:
        digest = hashlib.blake2b(str(self.root).encode(), digest_size=6).hexdigest()
        return f"theorycheck_loaded_{digest}"

    def sources(self) -> list[Path]:
        """Source folders: those with a register, or with claim modules."""
        if self.draft:
            return []
        if (self.root / REGISTER).exists():
            return [self.root]
        return sorted(p.parent for p in self.root.glob(f"*/{REGISTER}"))


def bundled() -> Path:
    """Folder of the claims that come with theorycheck: beside the package in a checkout, else the
    installed data package."""
    checkout = Path(__file__).resolve().parents[2] / "claims"
    if checkout.is_dir() and (checkout.parent / "pyproject.toml").exists():
        return checkout
    return Path(__file__).resolve().parents[2] / "theorycheck_claims"


def libraries() -> list[Library]:
    """The bundled library and every installed one.

    A package ships claims by an entry point of group ``theorycheck.claims`` that names a function
    returning the folder.
    """
    roots = [bundled()]
    for point in entry_points(group=ENTRY_POINT):
        try:
            roots.append(Path(point.load()()))
        except (ImportError, AttributeError, TypeError) as error:
            raise ClaimError(f"entry point {point.name} ({point.value}): {error}") from error
    return [Library(root.resolve()) for root in dict.fromkeys(roots) if root.is_dir()]


def load_file(path: Path, *, exploring: bool = False) -> list[Loaded]:
    """Claims of one file. A file outside of a library is a draft: it needs no rivals. Closed forms that are
    left open (``closed_form=...``) are taken only where one is looked for (``exploring``)."""
    path = path.resolve()
    if not path.is_file():
        raise ClaimError(f"{path}: no such file")
    if (path.parent / REGISTER).exists():
        library = Library(path.parent.parent)
        return _load_module(library, path.parent, path.stem)
    library = Library(path.parent, draft=True)
    loaded = _load_module(library, path.parent, path.stem)
    for item in loaded if not exploring else ():
        _refuse_open(item.claim, path)
    return loaded


def _refuse_open(claim: Claim, file: Path) -> None:
    if claim.is_open:
        raise ClaimError(
            f"{_short(file)}: claim {claim.id}: its closed form is left open (...); "
            f"`theorycheck explore {file.name}` looks for one"
        )


def load_source(library: Library, folder: Path, *, broken: bool = False) -> list[Loaded]:
    """Every claim of a source folder, in the order of its modules. With ``broken`` a file that cannot be
    loaded costs its own claims, and one in error stands for them."""
    loaded: list[Loaded] = []
    for file in sorted(folder.glob("*.py")):
        if not file.stem.startswith("_"):
            try:
                loaded += _load_module(library, folder, file.stem)
            except ClaimError as error:
                if not broken:
                    raise
                loaded.append(_in_error(file, error))
    return loaded


def load_or_error(file: Path) -> list[Loaded]:
    """Claims of one file; where it cannot be loaded, one in error that stands for them."""
    try:
        return load_file(file)
    except ClaimError as error:
        return [_in_error(file.resolve(), error)]


def _in_error(file: Path, error: ClaimError) -> Loaded:
    """A claim that says in its verdict why its file could not be loaded."""

    def load() -> None:
        raise ClaimError(str(error))

    name = re.sub(r"[^\w.-]", "-", f"{file.parent.name}.{file.stem}").lstrip("_.-")
    stands_for = claim(
        f"broken.{name}",
        title=f"{_short(file)} cannot be loaded",
        says=str(error),
        closed_form=0,
        legs=[leg("load", load)],
        mutate=False,
    )
    content = content_of(file)
    return Loaded(stands_for, file.parent.name, file, content.digest, True, content, True)


def load_all(
    paths: Iterable[Path] = (), sources: Iterable[str] = (), *, broken: bool = False
) -> list[Loaded]:
    """Claims of the given files and folders; of every library where none is given. ``broken``: as for
    `load_source`; a file that is named itself must be whole.

    Raises ClaimError for duplicate ids and for anything malformed, naming file and claim.
    """
    one = load_or_error if broken else load_file
    wanted = set(sources)
    loaded: list[Loaded] = []
    for path in paths:
        if path.is_file():
            loaded += load_file(path)
            continue
        folders = Library(path.resolve()).sources()
        for folder in folders:
            root = Library(folder.parent)
            if not wanted or folder.name in wanted:
                loaded += load_source(root, folder, broken=broken)
        if not folders:  # a folder of drafts
            for file in sorted(path.glob("*.py")):
                loaded += [] if file.stem.startswith("_") else one(file)
    if not list(paths):
        for library in libraries():
            for folder in library.sources():
                if not wanted or folder.name in wanted:
                    loaded += load_source(library, folder, broken=broken)
    check_ids(loaded)
    return loaded


def check_ids(loaded: Iterable[Loaded]) -> None:
    """Claim ids are unique over everything that is loaded together."""
    seen: dict[str, Loaded] = {}
    for item in loaded:
        other = seen.setdefault(item.id, item)
        if other is not item:
            raise ClaimError(
                f"{item.file.name}: claim {item.id} is already defined in {other.file.name}; "
                "ids are unique"
            )


def _load_module(library: Library, folder: Path, stem: str) -> list[Loaded]:
    package = _package(library, folder)
    file = folder / f"{stem}.py"
    try:
        with watching():
            module = importlib.import_module(f"{package}.{stem}")
    except ClaimError as error:
        raise ClaimError(f"{_short(file)}: {error}") from None
    except Exception as error:  # a module may raise anything; it is raised on, with its place
        line = getattr(error, "lineno", None) or _line_in(file, error)
        place = f"{_short(file)}:{line}" if line else _short(file)
        raise ClaimError(f"{place}: {type(error).__name__}: {error}") from error
    imported(file)
    content = loaded_with(content_of(file), folder)
    loaded = []
    for found in claims_of(module):
        try:
            if not library.draft and not found.rivals and found.expect == "pass":
                raise ClaimError(
                    f"claim {found.id}: has no rival; add rivals=[variant(...)] that the evidence "
                    "must refute"
                )
            check_independence(found, package)
            check_statements(found)
            found = _with_clauses(found, folder)
            check_hypotheses(found)
            if not library.draft and found.is_open:
                raise ClaimError(f"claim {found.id}: a library has no open closed forms")
        except ClaimError as error:
            raise ClaimError(f"{_short(file)}: {error}") from None
        source = "draft" if library.draft else folder.name
        loaded.append(Loaded(found, source, file, content.digest, library.draft, content))
    return loaded


def _with_clauses(claim: Claim, folder: Path) -> Claim:
    """The claim with the clauses that it covers. The register is read only where a claim names some."""
    pays = any(lg.pays.named or lg.pays.covers for lg in claim.legs)
    if not (claim.covers or claim.reads or claim.left or pays):
        return claim
    asserted = clauses_of(folder)
    return bind(claim, {id: a.by_id() for id, a in asserted.items()})


def claims_of(module: types.ModuleType) -> Iterator[Claim]:
    """Claims that a module defines: its globals, and those in a list called ``CLAIMS``."""
    seen: set[int] = set()
    for value in list(vars(module).values()):
        for item in value if isinstance(value, list | tuple) else [value]:
            if isinstance(item, Claim) and id(item) not in seen:
                seen.add(id(item))
                yield item


def _package(library: Library, folder: Path) -> str:
    """Registers the synthetic packages of a library and a source folder; returns the latter's."""
    root = library.package
    if root not in sys.modules:
        parent = types.ModuleType(root)
        parent.__path__ = [str(library.root)]
        sys.modules[root] = parent
    if library.draft:
        return root
    name = f"{root}.{folder.name}"
    if name not in sys.modules:
        package = types.ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
        setattr(sys.modules[root], folder.name, package)
    return name


def _short(file: Path) -> str:
    return f"{file.parent.name}/{file.name}"


def _line_in(file: Path, error: BaseException) -> int | None:
    trace = error.__traceback__
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
