"""Reading the HTML page of a report again, strictly: every element is closed, and nothing comes from elsewhere."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "input", "link"}
# Elements that no paragraph may hold.
BLOCKS = {"p", "div", "table", "ul", "dl", "pre", "figure", "section", "h1", "h2", "h3", "header", "main", "nav"}


class Element:
    """An element with what is in it."""

    def __init__(self, tag: str, attributes: dict[str, str | None], parent: Element | None) -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.children: list[Element] = []
        self.pieces: list[str] = []

    def find(self, tag: str, **attributes: str) -> list[Element]:
        """Every element below this one with this name and these attributes (`class_` is class)."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        found = []
        for child in self.children:
            if child.tag == tag and wanted.items() <= child.attributes.items():
                found.append(child)
            found += child.find(tag, **attributes)
        return found

    @property
    def text(self) -> str:
        """Its own text and that of all below it, in their order."""
        return " ".join("".join(self.pieces).split())

    def add(self, text: str) -> None:
        """Text that stands here, and so in all that this is in."""
        self.pieces.append(text)
        if self.parent is not None:
            self.parent.add(text)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self.open = Element("", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute of <{tag}> comes twice"
        assert not (tag in BLOCKS and self.open.tag == "p"), f"<{tag}> in a paragraph"
        element = Element(tag, dict(attrs), self.open)
        self.open.children.append(element)
        if tag not in VOID:
            self.open = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.tag == tag, f"</{tag}> ends <{self.open.tag}>"
        assert self.open.parent is not None
        self.open = self.open.parent

    def handle_data(self, data: str) -> None:
        self.open.add(data)


def read_page(text: str) -> Element:
    """The page as a tree; anything that is not closed in its place fails."""
    assert text.startswith("<!DOCTYPE html>\n")
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.open is reader.root, f"<{reader.open.tag}> is never closed"
    return reader.root


def read_table(table: Element) -> list[dict[str, str]]:
    """The rows of a table, by its heads."""
    heads = [head.text for head in table.find("thead")[0].find("th")]
    rows = []
    for row in table.find("tbody")[0].find("tr"):
        cells = [cell.text for cell in row.children]
        assert len(cells) == len(heads)
        rows.append(dict(zip(heads, cells, strict=True)))
    return rows
