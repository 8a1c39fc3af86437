#!/usr/bin/env python3
"""licences.py BOM: prints the libraries of a CycloneDX file by licence; fails if a licence is not allowed.

A library with several licences may be used under any one of them.
"""

import collections
import json
import sys

# SPDX identifiers, and names of licences that have none.
ALLOWED = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSD-4-Clause", "CC0-1.0", "CDDL-1.0", "CDDL-1.1", "EPL-1.0", "EPL-2.0",
    "MIT", "MIT-0", "MPL-2.0", "Public Domain", "Unlicense",
}

# Libraries that benchmarks alone use, so that nobody gets them from us, with the licence that was read for each. A test
# checks that the release archive has none.
NOT_SHIPPED = {
    # Its exception lets any program link to it.
    "org.openjdk.jmh:jmh-core": "GNU General Public License (GPL), version 2, with the Classpath exception",
}

# Texts of the libraries' poms.
NAMES = {
    "Apache 2": "Apache-2.0",
    "Go License": "BSD-3-Clause",
    "The Go license": "BSD-3-Clause",
    "BSD-2-Clause License": "BSD-2-Clause",
    "Public domain": "Public Domain",
}


def licences(component):
    names = []
    for entry in component.get("licenses", []):
        licence = entry.get("license", {})
        name = entry.get("expression") or licence.get("id") or licence.get("name", "unknown")
        names.append(NAMES.get(name, name))
    return names or ["unknown"]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        components = json.load(file)["components"]
    report = collections.defaultdict(list)
    refused = 0
    for component in components:
        if component.get("group") == "io.kipimo":
            continue
        names = licences(component)
        library = f"{component.get('group', '')}:{component['name']}"
        is_allowed = any(part in ALLOWED for name in names for part in name.strip("()").split(" OR "))
        is_allowed = is_allowed or NOT_SHIPPED.get(library) in names
        refused += not is_allowed
        name = f"{library}:{component.get('version', '')}"
        report[" or ".join(names) + ("" if is_allowed else "  NOT ALLOWED")].append(name)
    for licence in sorted(report):
        print(licence)
        for name in sorted(report[licence]):
            print(f"    {name}")
    if refused:
        sys.exit(f"licences: {refused} libraries have no allowed licence")


main()
