"""The handlers of the filesystem server's tools: from the arguments of a call to its reply.

What a handler needs is imported with the first call, so that the server starts at once.
"""

from __future__ import annotations

from builtin_servers.framework.tool import ToolCallError, ToolReply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from builtin_servers.files.roots import Roots
    from builtin_servers.framework.tool import CallContext


class FileTools:
    """The handlers, for the allowed folders."""

    def __init__(self, folders: Sequence[str]) -> None:
        self._folders = tuple(folders)
        self._resolved: tuple[tuple[str, ...], Roots] | None = None

    def _roots(self, call: CallContext) -> Roots:
        """The allowed folders of this call: those of the start; without any, the client's roots.

        Whoever starts the server with folders means those, whatever a client offers.
        """
        from builtin_servers.files.roots import Roots

        folders = self._folders or tuple(call.roots or ())
        if self._resolved is None or self._resolved[0] != folders:
            self._resolved = folders, Roots(folders)
        return self._resolved[1]

    def read_text_file(self, call: CallContext) -> ToolReply:
        from builtin_servers.files.operations import read_text

        arguments = call.arguments
        head, tail = arguments.get("head") or None, arguments.get("tail") or None
        first, last = arguments.get("start_line"), arguments.get("end_line")
        if sum((head is not None, tail is not None, first is not None or last is not None)) > 1:
            raise ToolCallError("Give one of head, tail, or start_line with end_line")
        if first is not None and last is not None and last < first:
            raise ToolCallError(f"end_line {last} comes before start_line {first}")
        last = head if head is not None else last
        with self._roots(call).resolve(arguments["path"]) as rooted:
            return ToolReply(
                read_text(
                    rooted,
                    first=int(first or 1),
                    last=None if last is None else int(last),
                    tail=None if tail is None else int(tail),
                )
            )

    def read_media_file(self, call: CallContext) -> ToolReply:
        from builtin_servers.files.operations import read_media

        with self._roots(call).resolve(call.arguments["path"]) as rooted:
            return ToolReply("", blocks=[read_media(rooted)])

    def read_multiple_files(self, call: CallContext) -> ToolReply:
        from builtin_servers.files.operations import join_texts, read_text

        def texts() -> Iterator[tuple[str, str]]:
            for path in call.arguments["paths"]:
                try:
                    with self._roots(call).resolve(path) as rooted:
                        yield path, read_text(rooted)
                except ToolCallError as error:
                    yield path, f"Error: {error}"

        return ToolReply(join_texts(texts()))

    def write_file(self, call: CallContext) -> ToolReply:
        from builtin_servers.files.messages import format_path
        from builtin_servers.files.operations import write_file

        content = call.arguments["content"].encode("utf-8", "surrogatepass")
        with self._roots(call).resolve(call.arguments["path"]) as rooted:
            verb = "Replaced" if write_file(rooted, content) else "Wrote"
            return ToolReply(f"{verb} {format_path(rooted.path)} ({len(content)} bytes)")

    def edit_file(self, call: CallContext) -> ToolReply:
        from builtin_servers.files.messages import format_path, utf8_path
        from builtin_servers.files.operations import (
            apply_edits,
            make_diff,
            read_for_edit,
            write_file,
        )

        with self._roots(call).resolve(call.arguments["path"]) as rooted:
            try:
                before = read_for_edit(rooted).decode("utf-8")
            except UnicodeDecodeError as error:
                raise ToolCallError(f"{format_path(rooted.path)} is not UTF-8 text") from error
            after = apply_edits(before, call.arguments["edits"])
            name = utf8_path(format_path(call.arguments["path"].lstrip("/")))
            diff = make_diff(before, after, name)
            if call.arguments.get("dryRun", False):
                return ToolReply(diff or "Nothing would change.")
            if after != before:
                write_file(rooted, after.encode("utf-8"))
            return ToolReply(diff or "Nothing changed.")

    def create_directory(self, call: CallContext) -> ToolReply:
        from builtin_servers.files.messages import format_path
        from builtin_servers.files.operations import make_folder

        made, path = False, call.arguments["path"]
        for level in self._roots(call).list_levels(path):
            with self._roots(call).resolve(level) as rooted:
                made = make_folder(rooted)
        return ToolReply(f"{'Made' if made else 'There was already'} {format_path(path)}")

    def copy_file(self, call: CallContext) -> ToolReply:
        from builtin_servers.files.operations import copy_file

        source, target = call.arguments["source"], call.arguments["destination"]
        with (
            self._roots(call).resolve(source) as original,
            self._roots(call).resolve(target) as copy,
        ):
            copy_file(original, copy)
        return _report_done("Copied", source, target)

    def move_file(self, call: CallContext) -> ToolReply:
        from builtin_servers.files.operations import move_entry

        source, target = call.arguments["source"], call.arguments["destination"]
        with (
            self._roots(call).resolve(source, follow=False) as before,
            self._roots(call).resolve(target, follow=False) as after,
        ):
            move_entry(before, after)
        return _report_done("Moved", source, target)

    def list_directory(self, call: CallContext) -> ToolReply:
        from builtin_servers.files.listing import list_folder, show_entries

        with self._roots(call).resolve(call.arguments["path"]) as rooted:
            return show_entries(list_folder(rooted), call.arguments.get("sortBy", "name"))

    def list_directory_with_sizes(self, call: CallContext) -> ToolReply:
        from builtin_servers.files.listing import list_folder, show_sizes

        with self._roots(call).resolve(call.arguments["path"]) as rooted:
            return show_sizes(list_folder(rooted), call.arguments.get("sortBy", "name"))

    def directory_tree(self, call: CallContext) -> ToolReply:
        import json

        from builtin_servers.files.listing import MAX_ENTRIES, build_tree
        from builtin_servers.files.search import compile_globs

        arguments = call.arguments
        excluded = compile_globs(arguments.get("excludePatterns", ()))
        with self._roots(call).resolve(arguments["path"]) as rooted:
            tree, is_whole = build_tree(rooted, call, excluded, int(arguments.get("maxDepth", 20)))
        note = "" if is_whole else f"\n[Only the first {MAX_ENTRIES} entries are shown.]"
        structured = {"tree": tree, "truncated": not is_whole}
        return ToolReply(json.dumps(tree, indent=1, ensure_ascii=False) + note, structured)

    def search_files(self, call: CallContext) -> ToolReply:
        from builtin_servers.files.listing import find_paths
        from builtin_servers.files.search import compile_glob, compile_globs

        arguments = call.arguments
        pattern = arguments["pattern"]
        if not any(sign in pattern for sign in "*?[{/"):
            pattern = f"*{pattern}*"
        matches = compile_glob(pattern)
        excluded = compile_globs(arguments.get("excludePatterns", ()))
        max_results = int(arguments.get("maxResults", 200))
        with self._roots(call).resolve(arguments["path"]) as rooted:
            return find_paths(rooted, call, matches, excluded, max_results)

    def search_content(self, call: CallContext) -> ToolReply:
        from builtin_servers.files.listing import show_matches
        from builtin_servers.files.search import (
            ContentSearch,
            compile_globs,
            compile_pattern,
            search_content,
        )

        arguments = call.arguments
        search = ContentSearch(
            compile_pattern(
                arguments["pattern"],
                is_regex=arguments.get("isRegex", False),
                ignore_case=arguments.get("ignoreCase", True),
            ),
            compile_globs([arguments.get("filePattern", "**")]),
            compile_globs(arguments.get("excludePatterns", ())),
            context=int(arguments.get("contextLines", 0)),
            max_results=int(arguments.get("maxResults", 100)),
        )
        with self._roots(call).resolve(arguments["path"]) as rooted:
            return show_matches(search_content(rooted, call, search))

    def get_file_info(self, call: CallContext) -> ToolReply:
        from builtin_servers.files.listing import show_info

        with self._roots(call).resolve(call.arguments["path"], follow=False) as rooted:
            return show_info(rooted)

    def list_allowed_directories(self, call: CallContext) -> ToolReply:
        from builtin_servers.files.roots import NO_ROOTS

        real = list(self._roots(call).real)
        return ToolReply("\n".join(real) or NO_ROOTS, {"directories": real})


def _report_done(verb: str, source: str, target: str) -> ToolReply:
    from builtin_servers.files.messages import format_path

    return ToolReply(f"{verb} {format_path(source)} to {format_path(target)}")
