"""Hooks of mkdocs.yml: the navigation is read from docs/README.md, and links out of docs/ lead to the repository."""

import posixpath
import re

LINK = re.compile(r"\[([^\[\]]*)\]\(([^)\s]+)\)")
SECTION = re.compile(r"^## ([^:\n]+).*$", re.MULTILINE)


def _source(config, path):
    """Address of a file of the repository, outside of docs/."""
    return f"{config['repo_url'].rstrip('/')}/blob/main/{path}"


def _resolved(page, target):
    """Path of a relative link's target, seen from the repository."""
    return posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target))


def on_config(config):
    with open(posixpath.join(config["docs_dir"], "README.md"), encoding="utf-8") as file:
        parts = SECTION.split(file.read())
    nav = [{"Start": "README.md"}]
    for title, body in zip(parts[1::2], parts[2::2]):
        pages = []
        for row in re.findall(r"^\| *([^|]*\]\([^|]*)\|", body, re.MULTILINE):
            for name, target in LINK.findall(row):
                path = _resolved("README.md", target)
                inside = path.startswith("docs/")
                pages.append({name.removesuffix(".md"): path[len("docs/"):] if inside else _source(config, path)})
                if path == "docs/decisions/README.md":
                    pages[-1] = {name: _decisions(config)}
        nav.append({title: pages})
    config["nav"] = nav
    return config


def _decisions(config):
    with open(posixpath.join(config["docs_dir"], "decisions/README.md"), encoding="utf-8") as file:
        targets = [target for _, target in LINK.findall(file.read()) if re.fullmatch(r"\d+-[\w-]+\.md", target)]
    return ["decisions/README.md"] + [f"decisions/{target}" for target in dict.fromkeys(targets)]


def on_page_markdown(markdown, page, config, files):
    def replaced(match):
        target = match.group(1)
        if "://" in target or target.startswith(("#", "mailto:")):
            return match.group(0)
        path = _resolved(page.file.src_uri, target)
        return match.group(0) if path.startswith("docs/") else f"]({_source(config, path)})"

    return re.sub(r"\]\(([^)\s]+)\)", replaced, markdown)
