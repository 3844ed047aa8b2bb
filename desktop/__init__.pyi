from desktop.base.errors import ConfigError as ConfigError
from desktop.base.errors import DesktopError as DesktopError
from desktop.base.errors import ServerError as ServerError
from desktop.base.errors import UsageError as UsageError
from desktop.config.models import ServerConfig as ServerConfig
from desktop.features.chat.agent.events import TurnOutcome as TurnOutcome
from desktop.features.chat.agent.session import AgentSession as AgentSession
from desktop.features.chat.host import AgentHost as AgentHost
from desktop.host import McpHost as McpHost
from desktop.processes.tracker import McpProcessTracker as McpProcessTracker
from desktop.tools.approvals import ApprovalQuestion as ApprovalQuestion
from desktop.tools.loader import LoadedTools as LoadedTools
from desktop.values.tool_types import Content as Content
from desktop.values.tool_types import ErrorCode as ErrorCode
from desktop.values.tool_types import ToolCall as ToolCall
from desktop.values.tool_types import ToolDefinition as ToolDefinition
from desktop.values.tool_types import ToolError as ToolError
from desktop.values.tool_types import ToolResult as ToolResult

PUBLIC: tuple[str, ...]
__version__: str
