#!/bin/sh
# Uses an installed app as a person does: from its menu entry, with the short PATH of a menu, once
# more, with a link, with a config file; then quits it. `use_installed.sh DESKTOP-FILE`, inside of an
# X display, in a home without anything of the app. Prints a line a check, "ok|failed<tab>name<tab>
# words"; exit code 1 when one failed. try_installed.sh runs it.
set -u

entry=$1
limit=200 # tenths of a second for each wait
config=$HOME/.config/mcp-desktop/mcp.json
log=$HOME/.local/share/mcp-desktop/logs/app.log
link="mcp-desktop://import?name=from-a-link&config=eyJjb21tYW5kIjoibnB4In0="
export MCP_DESKTOP_TRACE="$HOME/trace.jsonl"
failed=0

check() { # NAME WORDS COMMAND...: ok if the command succeeds within the limit
    name=$1 words=$2
    shift 2
    waited=0
    until "$@" >/dev/null 2>&1; do
        waited=$((waited + 1))
        if [ "$waited" -gt "$limit" ]; then
            printf 'failed\t%s\tnot within %s s: %s\n' "$name" "$((limit / 10))" "$words"
            failed=1
            return 1
        fi
        sleep 0.1
    done
    printf 'ok\t%s\t%s\n' "$name" "$words"
}

traced() { grep -q "\"$1\"" "$MCP_DESKTOP_TRACE"; }
logged() { test "$(grep -cF "$2" "$log")" = "$1"; } # TIMES TEXT
titled() { xdotool search --onlyvisible --name "^$1\$"; }
windows() { test "$(titled "mcp-desktop" | wc -l)" = "$1"; }
connected() { mcp-desktop processes --json | grep -q '"mine"'; }

# The processes of an executable, whatever they are called.
running() {
    for link in /proc/[0-9]*/exe; do
        case $(readlink "$link" 2>/dev/null) in */mcp-desktop/mcp-desktop) echo "$link" ;; esac
    done
}
gone() { test -z "$(running)"; }
untouched() { ! grep -q 'theirs\|from-a-link' "$config"; }

# A server of the person's, in a folder that only the login shell has in its PATH.
mkdir -p "$HOME/tools" "$HOME/Downloads" "$(dirname "$config")"
echo 'PATH="$HOME/tools:$HOME/.local/bin:$PATH"' >"$HOME/.profile"
printf '#!/bin/sh\nexec mcp-desktop builtin calculator\n' >"$HOME/tools/my-server"
chmod +x "$HOME/tools/my-server"
echo '{"mcpServers": {"mine": {"command": "my-server"}}}' >"$config"
echo '{"mcpServers": {"theirs": {"command": "npx"}}}' >"$HOME/Downloads/mcp.json"
. "$HOME/.profile" # for this script; what a menu starts does not have it

menu() { env PATH=/usr/bin:/bin gio launch "$entry" "$@" >/dev/null 2>&1; }
open_it() { env PATH=/usr/bin:/bin gio open "$1" >/dev/null 2>&1; }

menu
check "menu entry" "the window is on the screen" traced window_shown || exit 1
check "short PATH" "a server that only the login shell finds has connected" traced ready
check "its server" "it is among the processes of the app" connected
menu
check "single instance" "a second start left one window" windows 1
check "second start" "in a terminal it says so" sh -c 'mcp-desktop 2>&1 | grep -q "open already"'
open_it "$link"
check "a link" "it came as an import" logged 1 "shown as an import: a link"
check "its preview" "the dialog is on the screen" titled "Import servers"
file=$HOME/Downloads/mcp.json
menu "$file"
check "a file on the entry" "it came as an import" logged 1 "shown as an import: $file"
open_it "$file"
check "a file opened" "it came as an import, by its type" logged 2 "shown as an import: $file"
check "nothing unseen" "the config is as it was" untouched
for link in $(running); do
    grep -qz '^builtin$\|^guardian$' "${link%exe}cmdline" || kill "$(echo "$link" | cut -d/ -f3)"
done
check "quit" "the run ended in order" traced quit
check "nothing left" "no process of the app is there" gone
exit $failed
