"""Documents without a download: the docstrings of Python's standard library."""

from __future__ import annotations

import importlib
import inspect
import re
from dataclasses import dataclass

MODULES = (
    "argparse array ast asyncio base64 bisect calendar collections concurrent.futures configparser"
    " contextlib copy csv ctypes dataclasses datetime decimal difflib dis email.message enum"
    " fractions ftplib functools gzip hashlib heapq html http.client http.server imaplib inspect io"
    " ipaddress itertools json logging logging.handlers mailbox math mimetypes multiprocessing"
    " numbers operator os os.path pathlib pickle pkgutil platform plistlib pprint queue random re"
    " sched secrets selectors shelve shlex shutil signal smtplib socket socketserver sqlite3 ssl"
    " stat statistics string struct subprocess tarfile tempfile textwrap threading time timeit"
    " tokenize traceback types typing unittest unittest.mock urllib.parse urllib.request uuid"
    " warnings wave weakref webbrowser xml.dom.minidom xml.etree.ElementTree zipfile zlib"
).split()

WORD = re.compile(r"[a-z][a-z0-9]+")
SHORTEST = 40


def words(text: str) -> list[str]:
    return WORD.findall(text.lower().replace("_", " "))


@dataclass(frozen=True)
class Document:
    module: str
    name: str
    text: str


def load() -> list[Document]:
    """In the same order in every process of one Python version."""
    found: dict[str, Document] = {}

    def add(module: str, name: str, thing: object) -> None:
        text = inspect.getdoc(thing)
        if text and len(text) >= SHORTEST:
            found.setdefault(f"{module}.{name}", Document(module, name, f"{name} {text}"))

    for module in MODULES:
        try:
            loaded = importlib.import_module(module)
        except ImportError:
            continue
        for name, thing in vars(loaded).items():
            if name.startswith("_") or not callable(thing):
                continue
            add(module, name, thing)
            if inspect.isclass(thing):
                for method, function in vars(thing).items():
                    if not method.startswith("_") and callable(function):
                        add(module, f"{name}.{method}", function)
    return [found[key] for key in sorted(found)]
