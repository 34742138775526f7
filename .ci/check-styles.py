"""Reads styles with tinycss2: parts that cannot be parsed, properties of the style itself that nothing
defines, rules that are empty, and rules or declarations that are written twice."""
import re
import sys

import tinycss2


def main():
    problems = [f"{path}: {problem}" for path in sys.argv[1:] for problem in check(path)]
    print("\n".join(problems) or f"{len(sys.argv) - 1} styles hold")
    sys.exit(1 if problems else 0)


def check(path):
    text = open(path, encoding="utf-8").read()
    rules = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    yield from found(rules)
    defined = set(re.findall(r"(?<![\w(-])(--[\w-]+)\s*:", text))
    used = set(re.findall(r"var\((--[\w-]+)", text))
    yield from (f"`{name}` is used and never defined" for name in sorted(used - defined))


def found(rules):
    heads = set()
    for rule in rules:
        if rule.type == "error":
            yield f"{rule.source_line}: {rule.message}"
            continue
        head = tinycss2.serialize(rule.prelude).strip()
        if rule.content is None:
            continue
        if rule.type == "at-rule":
            inner = tinycss2.parse_blocks_contents(rule.content, True, True)
            yield from found([part for part in inner if part.type != "declaration"])
            continue
        if head in heads:
            yield f"{rule.source_line}: `{head}` is there twice"
        heads.add(head)
        yield from declarations(rule, head)


def declarations(rule, head):
    parts = tinycss2.parse_blocks_contents(rule.content, True, True)
    if not parts:
        yield f"{rule.source_line}: `{head}` is empty"
    names = set()
    for part in parts:
        if part.type == "error":
            yield f"{part.source_line}: {part.message}"
        elif part.type == "declaration":
            if part.name in names:
                yield f"{part.source_line}: `{part.name}` is there twice in `{head}`"
            names.add(part.name)


main()
