#!/usr/bin/env python3
"""Make the project's fonts: subsets of Inter, JetBrains Mono and Noto Sans SC. Called by subset.sh.

    subset.py UPSTREAM ROOT

UPSTREAM holds the unpacked packages, ROOT is the top of the checkout. The same input gives the same bytes.
"""
import glob
import os
import sys

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

LATIN = (
    list(range(0x20, 0x7F)) + list(range(0xA0, 0x180))
    + [ord(c) for c in "ȘșȚțẞΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψω"]
    + [ord(c) for c in "‐‑‒–—―‘’‚“”„†‡•…‰′″‹›⁄₀₁₂₃₄₅₆₇₈₉⁰⁴⁵⁶⁷⁸⁹€™"]
    + [ord(c) for c in "←↑→↓↔↕↖↗↘↙↩↪↺↻⇄⇐⇒⇔⇧⌘⌥⌫⏎␣"]
    + [ord(c) for c in "∀∂∅∈∏∑−√∞∩∪≈≠≤≥"]
    + [ord(c) for c in "■□▪▫▲△▴▵▶▷▸▹▼▽▾▿◀◁◂◃◆◇○◌●◐◑◯★☆✓✕✗�"]
)
BOX = list(range(0x2500, 0x2580)) + list(range(0x2580, 0x25A0))
CJK_PUNCTUATION = (
    list(range(0x3000, 0x3003)) + list(range(0x3008, 0x3012)) + list(range(0x3014, 0x301C))
    + list(range(0xFF01, 0xFF5F)) + [ord(c) for c in "—…‘’“”·￥①②③④⑤⑥⑦⑧⑨⑩"]
)


def is_han(c):
    return 0x2E80 <= c <= 0x2FDF or 0x3400 <= c <= 0x9FFF or 0xF900 <= c <= 0xFAFF or c >= 0x20000


def characters(paths):
    """The code points of the files."""
    found = set()
    for path in paths:
        with open(path, encoding="utf-8") as f:
            found.update(map(ord, f.read()))
    return found


def subset(font, characters):
    """Reduce the font to the characters, kerning kept, and everything else dropped that the program does not read."""
    options = Options()
    options.layout_features = ["kern"]
    options.hinting = False
    options.notdef_outline = True
    options.glyph_names = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.recalc_timestamp = False
    options.drop_tables += ["STAT", "DSIG", "GDEF", "vhea", "vmtx", "VORG", "BASE", "meta"]
    worker = Subsetter(options)
    worker.populate(unicodes=characters)
    worker.subset(font)
    return font


def tabular(font):
    """Make the figures equally wide, so that a number that counts does not tremble."""
    figures = {}
    table = font["GSUB"].table
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == "tnum":
            for index in record.Feature.LookupListIndex:
                for part in table.LookupList.Lookup[index].SubTable:
                    figures.update(getattr(part, "ExtSubTable", part).mapping)
    for cmap in font["cmap"].tables:
        for digit in map(ord, "0123456789"):
            if digit in cmap.cmap:
                glyph = cmap.cmap[digit]
                cmap.cmap[digit] = figures.get(glyph, glyph)  # tables may share one map
    return font


def plain_kerning(font):
    """Put the kerning in the form that golang.org/x/image/font/sfnt reads: lookups that filter no marks (the subset has
    none), in the order of their numbers, since it takes the first value that it finds."""
    table = font["GPOS"].table
    for lookup in table.LookupList.Lookup:
        lookup.LookupFlag = 0
    for record in table.FeatureList.FeatureRecord:
        record.Feature.LookupListIndex = sorted(set(record.Feature.LookupListIndex))
    return font


def load(path):
    return TTFont(path, recalcTimestamp=False)


def report(path):
    print(f"{os.path.getsize(path):8d}  {path}")


def save(font, path):
    font.save(path)
    report(path)


def main(upstream, root):
    fonts = os.path.join(root, "render", "fonts")
    words = glob.glob(os.path.join(root, "lessons", "**", "*.yaml"), recursive=True)
    words += glob.glob(os.path.join(root, "render", "stage", "words", "*.json"))
    english = [w for w in words if os.path.splitext(os.path.basename(w))[0] == "en"]
    everywhere = characters(words)
    name_of_language = set(map(ord, "简体中文"))
    seed = characters(english) | name_of_language

    latin = set(LATIN) | {c for c in everywhere if not is_han(c)}
    for name, source, wanted in (
        ("sans", "inter/400Regular/Inter_400Regular.ttf", latin),
        ("sans-bold", "inter/700Bold/Inter_700Bold.ttf", latin),
        ("mono", "jetbrains-mono/400Regular/JetBrainsMono_400Regular.ttf", latin | set(BOX)),
        ("mono-bold", "jetbrains-mono/700Bold/JetBrainsMono_700Bold.ttf", latin),
    ):
        font = load(os.path.join(upstream, source))
        if source.startswith("inter/"):
            plain_kerning(subset(tabular(font), wanted))
        else:
            subset(font, wanted)
        save(font, os.path.join(fonts, name + ".ttf"))

    regular = os.path.join(upstream, "noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf")
    bold = os.path.join(upstream, "noto-sans-sc/700Bold/NotoSansSC_700Bold.ttf")
    save(subset(load(regular), {c for c in seed if is_han(c)}), os.path.join(fonts, "han-seed.ttf"))

    spoken = {c for c in everywhere if is_han(c)} | set(CJK_PUNCTUATION) | name_of_language
    common = {c for c in characters([os.path.join(fonts, "han", "common.txt")]) if is_han(c)}
    collection = TTCollection()
    collection.fonts = [subset(load(regular), spoken | common), subset(load(bold), spoken)]
    path = os.path.join(fonts, "han", "han.ttc")
    collection.save(path)
    report(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
