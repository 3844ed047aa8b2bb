"""The pages of the site that no file of docs/ has: both READMEs, their pictures, and the API.

On a Chinese page the words of the theme are Chinese, too. A hook of mkdocs. Must not change a file
of the repository.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page
    from mkdocs.utils.templates import TemplateContext

ROOT = Path(__file__).resolve().parents[2]
READMES = {"index.md": "README.md", "zh.md": "README.zh-CN.md"}
_LIGHT = re.compile(r"(!\[[^]]*\]\([^)]+)-light\.png\)")
"""A picture of the light window; beside each lies one of the dark window."""
SWITCHES = {"en": ("Dark", "Light"), "zh": ("深色", "浅色")}
"""What the switch of the theme says, in the order of its palettes."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add them; mkdocs calls this by its name."""
    for page, name in READMES.items():
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        for readme_page, readme in READMES.items():
            text = text.replace(f"]({readme})", f"]({readme_page})")
        text = _LIGHT.sub(r"\1-light.png#only-light)\1-dark.png#only-dark)", text)
        files.append(File.generated(config, page, content=text))
        for picture in re.findall(r"!\[[^]]*\]\(([^)#]+)", text):
            if files.get_file_from_path(picture) is None:
                content = (ROOT / picture).read_bytes()
                files.append(File.generated(config, picture, content=content))
    files.append(File.generated(config, "api.md", content=_api()))
    return files


def on_page_context(
    context: TemplateContext, page: Page, config: MkDocsConfig, **_: object
) -> None:
    """Set the language of the theme; mkdocs calls this before it renders each page."""
    language = "zh" if page.file.src_uri.endswith(("zh-CN.md", "zh.md")) else "en"
    config.theme["language"] = language
    for palette, name in zip(config.theme["palette"], SWITCHES[language], strict=True):
        palette["toggle"]["name"] = name


def _api() -> str:
    """A section for each name of `desktop.PUBLIC`, from its docstrings."""
    source = (ROOT / "desktop" / "__init__.py").read_text(encoding="utf-8")
    (homes,) = (
        ast.literal_eval(node.value)
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HOMES"
    )
    parts = [f"::: desktop.{home}.{name}\n" for name, home in sorted(homes.items())]
    return "# Python API\n\nAll names are imported from `desktop`.\n\n" + "\n".join(parts)
