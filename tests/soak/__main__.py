"""`make soak`: 500 random rounds, then a report; exit code 1 if anything was left or grew.

In parts: `ARGS="--rounds 50 --seed 7"`, each part with another seed.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import random
import sys

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def main() -> int:
    if sys.platform == "win32":
        sys.exit("The soak ends programs by POSIX signals, which Windows does not have.")
    from tests.soak.soak import APP_EVERY, Soak

    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--app-every", type=int, default=APP_EVERY, help="rounds of the whole app")
    parser.add_argument("--verbose", action="store_true", help="a line for each round")
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    logging.basicConfig(level=logging.CRITICAL, format="%(message)s")
    if wanted.verbose:
        logging.getLogger("tests.soak").setLevel(logging.INFO)
    report = asyncio.run(Soak(wanted.seed).run(wanted.rounds, app_every=wanted.app_every))
    print(report)
    return 0 if report.is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
