"""Runs its tools as tasks (2025-11-25): each look at one takes it a step further.

`work` needs `steps` looks, `stuck` never ends, `broken` fails. `--keep FILE` keeps them over runs,
`--page N` lists N at a time.
"""

from __future__ import annotations

import json
import os
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import Server, Tool, log, option, text_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.servers.base import Json

AS_TASK = {"execution": {"taskSupport": "required"}}
STAMP = "2026-01-01T00:00:00Z"
FILE = option("keep")
PAGE = int(option("page", "100"))


class TaskServer(Server):
    """Keeps the looks that each task still needs."""

    def __init__(self) -> None:
        tools = [Tool(name, lambda _: None, **AS_TASK) for name in ("work", "stuck", "broken")]
        super().__init__("tasks", tools)
        self.tasks: dict[str, Json] = {}
        if FILE and os.path.exists(FILE):
            with open(FILE, encoding="utf-8") as file:
                self.tasks = json.load(file)
        self.answers |= {
            "tasks/get": self.get,
            "tasks/result": self.result,
            "tasks/cancel": self.cancel,
            "tasks/list": self.list_tasks,
        }

    def _introduce(self) -> Json:
        tasks: Json = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
        return super()._introduce() | {"capabilities": {"tools": {}, "tasks": tasks}}

    def call_tool(self, message: Json) -> object:
        params: Json = message["params"]
        if "task" not in params:
            return self.refuse(message["id"], -32601, "only as a task")
        arguments: Json = params.get("arguments") or {}
        task = f"task-{len(self.tasks) + 1}"
        self.tasks[task] = {
            "name": params["name"],
            "left": arguments.get("steps", 2),
            "state": "working",
        }
        return {"task": self.described(task)}

    def described(self, task: str) -> Json:
        kept = self.tasks[task]
        return {
            "taskId": task,
            "status": kept["state"],
            "statusMessage": f"{kept['left']} left",
            "createdAt": STAMP,
            "lastUpdatedAt": STAMP,
            "ttl": 60_000,
            "pollInterval": 1,
        }

    def get(self, message: Json) -> object:
        task: str = message["params"]["taskId"]
        if task not in self.tasks:
            return self.refuse(message["id"], -32602, "no such task")
        kept = self.tasks[task]
        if kept["name"] != "stuck" and kept["state"] == "working":
            kept["left"] -= 1
        if kept["left"] == 0 and kept["state"] == "working":
            kept["state"] = "failed" if kept["name"] == "broken" else "completed"
        if FILE:
            self.save()
            if kept["left"] == 1:
                os._exit(1)  # a server that is lost while a task runs
        return self.described(task)

    def save(self) -> None:
        with open(FILE, "w", encoding="utf-8") as file:
            json.dump(self.tasks, file)

    def list_tasks(self, message: Json) -> object:
        params: Json = message.get("params") or {}
        start = int(params.get("cursor") or 0)
        end = start + PAGE
        more = {"nextCursor": str(end)} if end < len(self.tasks) else {}
        return {"tasks": list(map(self.described, list(self.tasks)[start:end]))} | more

    def result(self, message: Json) -> object:
        kept = self.tasks[message["params"]["taskId"]]
        return text_result(kept["state"], is_error=kept["state"] == "failed")

    def cancel(self, message: Json) -> object:
        task: str = message["params"]["taskId"]
        if task not in self.tasks:
            return self.refuse(message["id"], -32602, "no such task")
        self.tasks[task]["state"] = "cancelled"
        if FILE:
            self.save()
        log(f"cancelled {task}")
        return self.described(task)


server = TaskServer()
server.serve()
