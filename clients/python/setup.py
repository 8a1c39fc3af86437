"""Generates kipimo/v1 from the repository's schemas before packages are collected."""

from pathlib import Path

from setuptools import setup

HERE = Path(__file__).resolve().parent
SCHEMAS = HERE.parent.parent / "schemas/src/main/proto"
GENERATED = HERE / "src/kipimo/v1"
NEEDED = [
    f"kipimo/v1/{name}.proto"
    for name in ("items", "quality", "observation", "decision", "completeness", "fan_out")
]


def generate() -> None:
    import grpc_tools
    from grpc_tools import protoc

    if not SCHEMAS.is_dir():
        raise SystemExit(f"{SCHEMAS} is missing: build the wheel in a checkout of Kipimo")
    GENERATED.mkdir(exist_ok=True)
    (GENERATED / "__init__.py").write_text('"""Generated from schemas/src/main/proto."""\n')
    include = Path(grpc_tools.__file__).parent / "_proto"
    out = HERE / "src"
    words = ["protoc", f"-I{SCHEMAS}", f"-I{include}", f"--python_out={out}", f"--pyi_out={out}"]
    if protoc.main([*words, *NEEDED]) != 0:
        raise SystemExit("protoc failed")


generate()
setup()
