"""The labels of a chat: the state of a call, notices between messages, tokens used."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.base.visible_text import as_sentence
from desktop.gui.translations import spoken
from desktop.gui.widgets.styled_text import StyledText

if TYPE_CHECKING:
    from desktop.config.providers import Price
    from desktop.features.chat.gui.entries import NoticeEntry, ToolCallEntry
    from desktop.features.models.messages import Usage

translate = QCoreApplication.translate


def call_label(call: ToolCallEntry) -> StyledText:
    """The state of a call, and whether it is the person's as much as the model's."""
    state = _state_label(call)
    more: list[str] = []
    if call.state == "asking" and call.repeats:
        words = translate("ChatWords", "the same call before: {count}")
        more.append(words.format(count=call.repeats))
    if call.is_corrected:
        more.append(translate("ChatWords", "corrected by you"))
    if call.is_in_part:
        more.append(translate("ChatWords", "the model sees its beginning"))
    return state._replace(text=" · ".join([state.text, *more]))


def _state_label(call: ToolCallEntry) -> StyledText:
    return {
        "waiting": StyledText(translate("ChatWords", "Waiting")),
        "asking": StyledText(translate("ChatWords", "Needs approval"), "warning"),
        "running": StyledText(translate("ChatWords", "Running"), "accent"),
        "done": StyledText(translate("ChatWords", "Done"), "success"),
        "failed": StyledText(translate("ChatWords", "Failed"), "danger"),
        "denied": StyledText(translate("ChatWords", "Denied"), "warning"),
        "cancelled": StyledText(translate("ChatWords", "Cancelled"), "warning"),
    }[call.state]


def notice_label(notice: NoticeEntry) -> StyledText:
    """A sentence between the messages."""
    said = spoken(notice.sentence)
    match notice.kind:
        case "retry":
            return _retry_label(notice)
        case "stopped":
            return StyledText(translate("ChatWords", "Stopped."), "muted")
        case "limit":
            has_remedy = "\n" in said  # a model that repeats itself would do just that
            return StyledText(
                said or translate("ChatWords", "A limit was reached."),
                "warning",
                "" if has_remedy else translate("ChatWords", "Send “go on” to continue."),
            )
        case "failed":
            words = said or translate("ChatWords", "No answer received.")
            remedy = "" if "\n" in words else _remedy(notice.cause)  # it has one of its own
            return StyledText(words, "danger", remedy)
        case "lost":
            return StyledText(
                translate("ChatWords", "A built-in server stopped: {reason}").format(reason=said),
                "warning",
                translate("ChatWords", "It is restarting.") if notice.attempt else "",
            )
        case "said":
            return StyledText(said, "warning")
        case _:
            return _stop_label(notice)


def usage_label(usage: Usage, price: Price | None = None) -> str:
    """Tokens of a conversation, and about what they cost; empty before there are any."""
    if not usage.input and not usage.output:
        return ""
    text = translate("ChatWords", "{input} tokens in, {output} out").format(
        input=f"{usage.input:,}", output=f"{usage.output:,}"
    )
    if usage.cached:
        cached = translate("ChatWords", "{cached} of them cached")
        text += f" · {cached.format(cached=f'{usage.cached:,}')}"
    if price is not None:
        amount = price.figure(usage.input, usage.output, usage.cached)
        words = translate("ChatWords", "about {amount} {currency}")
        text += f" · {words.format(amount=amount, currency=price.currency)}"
    return text


def _retry_label(notice: NoticeEntry) -> StyledText:
    left = math.ceil(notice.due - time.monotonic())
    if left > 0:
        words = translate("ChatWords", "{reason} Next attempt ({attempt}) in {seconds} s.")
    else:
        words = translate("ChatWords", "{reason} Trying again ({attempt})…")
    seconds = f"{max(left, 0):,}"
    reason = as_sentence(spoken(notice.sentence)) or translate(
        "ChatWords", "The provider is not ready to answer."
    )
    return StyledText(
        words.format(reason=reason, attempt=notice.attempt, seconds=seconds),
        "warning",
    )


def _stop_label(notice: NoticeEntry) -> StyledText:
    match notice.kind:
        case "length":
            return StyledText(
                translate("ChatWords", "The answer was cut off at the length limit."),
                "warning",
                translate("ChatWords", "Send “go on” to continue."),
            )
        case "refused":
            return StyledText(translate("ChatWords", "The model declined to answer."), "warning")
        case _:
            return StyledText(
                translate("ChatWords", "The provider's content filter blocked the answer."),
                "warning",
            )


def _remedy(cause: str) -> str:
    """What to do where no answer came; `cause` is a `Failure` or empty."""
    return {
        "key": translate("ChatWords", "Enter a valid key in Settings, under Model providers."),
        "untrusted": translate(
            "ChatWords", "Nothing was sent. Approve the address in Servers, or save it in Settings."
        ),
        "rate": translate("ChatWords", "Wait a moment and send it again, or check your credit."),
        "overloaded": translate("ChatWords", "Try again later, or choose another model."),
        "context": translate(
            "ChatWords", "Start a new conversation, or offer the model fewer tools."
        ),
        "tools": translate("ChatWords", "Offer the model fewer tools."),
        "thinking": translate("ChatWords", "Start a new conversation."),
        "connection": translate(
            "ChatWords", "Check your network and the provider's address in Settings."
        ),
        "timeout": translate("ChatWords", "Send it again, or choose a faster model."),
    }.get(cause, "")
