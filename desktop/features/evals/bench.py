"""What cases need of an app to be run: its connected servers, its providers, sessions apart.

The terminal and the window run them through it. All that is wrong is found before a model is asked.
Must not start a server, and must not show anything.
"""

from __future__ import annotations

import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from desktop.base.did_you_mean import nearest_names
from desktop.base.errors import UsageError
from desktop.base.translatable import translatable
from desktop.bootstrap import acting_client
from desktop.features.chat.agent.agent import Agent
from desktop.features.chat.llm.services import make_service
from desktop.features.evals.eval_run import Budget, EvalRun
from desktop.features.evals.models import EvalModel, JudgePanel, check_models, find_model
from desktop.features.evals.trial import CaseAnswers, EvalColumn, Trials
from desktop.features.saved_calls.saved_call_runner import SavedCallRunner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from desktop.config.providers import ProviderSettings
    from desktop.core import Core
    from desktop.features.evals.eval_run import EvalCell
    from desktop.features.evals.transcript import TranscriptFile
    from desktop.values.acting_client import ActingClient


class EvalBench(Struct):
    """One run of cells. `unreachable` are servers that were needed and are not connected.

    `judge` names the model that decides sentences, else the first of the run; `max_cost` is in the
    currency of the prices. `budget` tells what was spent.
    """

    core: Core
    columns: Sequence[EvalColumn] = (EvalColumn(),)
    judge: str = ""
    max_cost: float | None = None
    parallel: int = 4
    allows_all: bool = False
    unreachable: set[str] = field(default_factory=set[str])
    budget: Budget = field(default_factory=Budget)
    _clients: dict[str, ActingClient] = field(default_factory=dict[str, "ActingClient"])

    def check(self, cells: Iterable[EvalCell]) -> list[EvalCell]:
        """Look for the servers and their tools. Returns: the cells that can be run.

        Raises:
            UsageError: a case expects a tool that its server has not, or nothing is known of a
                client.
        """
        self._clients = {
            column.client: acting_client(column.client) for column in self.columns if column.client
        }
        able: list[EvalCell] = []
        for cell in cells:
            asked = {name: self._column(cell).asked(name) for name in cell.planned.servers}
            away = [name for name in asked.values() if not self._is_there(name)]
            self.unreachable.update(away)
            for name in away:
                words = translatable("the server {name} could not be reached", name=name)
                cell.unmeasured[words] += 1
            if not away:
                self._check_tools(cell)
                able.append(cell)
        return able

    async def run(
        self, cells: Sequence[EvalCell], file: TranscriptFile, told: Callable[[EvalCell], None]
    ) -> None:
        """Run them. Being cancelled leaves what has ended in the file.

        Raises:
            UsageError: a model is not there, or has no price where one is needed.
            CallFileError: a run could not be written.
        """
        if not cells:
            return
        core = self.core
        names = [cell.model for cell in cells] + ([self.judge] if self.judge else [])
        async with AsyncExitStack() as ends:
            folder = ends.enter_context(tempfile.TemporaryDirectory(prefix="mcp-desktop-evals-"))
            models = await self._find_models(dict.fromkeys(names), ends)
            self._refuse_unknown_prices(cells, models)
            paths = core.paths._replace(data=Path(folder))
            sessions = {
                name: core.part(Agent).sessions.apart(paths, client)
                for name, client in {"": None, **self._clients}.items()
            }
            for each in sessions.values():
                ends.push_async_callback(each.close)
            answers = CaseAnswers(core.requests)
            ends.callback(answers.close)
            calls = SavedCallRunner(core.service, core.executor)
            has_judge = any(cell.planned.case.expect.judge for cell in cells)
            panel = JudgePanel(models[self.judge or cells[0].model]) if has_judge else None
            self.budget = Budget(self.max_cost)
            await EvalRun(
                cells,
                models,
                {column.title: column for column in self.columns},
                Trials(sessions, calls, answers, allows_all=self.allows_all),
                file,
                panel,
                self.budget,
                self.parallel,
                told,
            ).run()

    async def _find_models(
        self, names: Iterable[str], ends: AsyncExitStack
    ) -> Mapping[str, EvalModel]:
        core, providers = self.core, self.core.store.providers
        found = {name: find_model(providers, name) for name in names}
        services = {
            name: make_service(
                providers[name], core.part(Agent).keys, learned=core.part(Agent).learned
            )
            for name in dict.fromkeys(provider for provider, _ in found.values())
        }
        for service in services.values():
            ends.push_async_callback(service.close)
        models = {
            name: EvalModel(name, model, services[provider])
            for name, (provider, model) in found.items()
        }
        await check_models(models.values())
        for name, (provider, model) in found.items():
            models[name].price = core.part(Agent).learned.of(providers[provider], model).price
        return models

    def _refuse_unknown_prices(
        self, cells: Iterable[EvalCell], models: Mapping[str, EvalModel]
    ) -> None:
        is_needed = self.max_cost is not None or any(
            cell.planned.case.expect.cost is not None for cell in cells
        )
        unknown = [model.name for model in models.values() if model.price is None]
        if is_needed and unknown:
            raise UsageError(
                f"The price of {unknown[0]} is not known, so its cost cannot be limited.",
                remedy="Write a price at the provider in the config, or leave the limit out.",
            )

    def _column(self, cell: EvalCell) -> EvalColumn:
        return next(each for each in self.columns if each.title == cell.column)

    def _is_there(self, server: str) -> bool:
        connection = self.core.service.connections.get(server)
        return connection is not None and connection.is_connected

    def _check_tools(self, cell: EvalCell) -> None:
        column, registry = self._column(cell), self.core.registry
        for tool in cell.planned.case.expect.tools:
            named, _, name = tool.partition(":")
            server = column.asked(named)
            if registry.get(f"{server}:{name}") is not None:
                continue
            every = [each.definition for each in registry.all()]
            known = [each.name for each in every if each.server == server]
            near = nearest_names(name, known, 1)
            raise UsageError(
                f"{cell.planned.file}: {cell.planned.case.name!r} expects {server}:{name}, "
                "which there is not.",
                remedy=f"Did you mean {near[0]}?" if near else f"It has {', '.join(known[:10])}.",
            )


def usual_model(providers: Mapping[str, ProviderSettings]) -> str:
    """The model that is asked where nothing says another: the first that the config has."""
    return next((provider.name for provider in providers.values() if provider.model), "")
