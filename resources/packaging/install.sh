#!/bin/sh
# Installs this folder for one person, with a menu entry and the command `mcp-desktop`, or takes it
# away again. No root, nothing outside of the prefix. What a person made with the app (its config
# and its data folder) is never touched.
set -eu

name=mcp-desktop
prefix=${PREFIX:-$HOME/.local}
app=$prefix/lib/$name
share=$prefix/share
here=$(cd "$(dirname "$0")" && pwd -P)

usage() {
    echo "usage: $0 [--uninstall]    (PREFIX=$prefix)"
}

# A running app reads its program again and again: replaced under it, it would stop.
refuse_while_running() {
    for link in /proc/[0-9]*/exe; do
        if [ "$(readlink "$link" 2>/dev/null)" = "$app/$name" ]; then
            echo "mcp-desktop is running. Quit it, then try again." >&2
            exit 1
        fi
    done
}

# Files beside the app, by their path below share/.
shared() {
    (cd "$1/share" && find . -type f)
}

tell_desktop() {
    update-desktop-database -q "$share/applications" 2>/dev/null || true
    update-mime-database "$share/mime" 2>/dev/null || true
    gtk-update-icon-cache -qtf "$share/icons/hicolor" 2>/dev/null || true
}

remove() {
    if [ -d "$app/share" ]; then
        shared "$app" | while read -r file; do
            rm -f "$share/$file"
        done
    fi
    rm -rf "$app"
    if [ "$(readlink "$prefix/bin/$name" 2>/dev/null)" = "$app/$name" ]; then
        rm -f "$prefix/bin/$name"
    fi
}

place() {
    mkdir -p "$prefix/lib" "$prefix/bin" "$share"
    cp -a "$here" "$app"
    ln -sf "$app/$name" "$prefix/bin/$name"
    cp -a "$here/share/." "$share/"
    # The PATH of a menu and of a service is short: each names the command by its whole path.
    sed -i "s|^Exec=$name|Exec=\"$prefix/bin/$name\"|; s|^TryExec=.*|TryExec=$prefix/bin/$name|" \
        "$share/applications/$name.desktop"
    sed -i "s|^ExecStart=$name|ExecStart=\"$prefix/bin/$name\"|" "$share/systemd/user/$name.service"
}

case ${1-} in
"")
    if [ "$here" = "$app" ]; then
        echo "This is the installed copy. Run install.sh of the folder that you unpacked." >&2
        exit 2
    fi
    refuse_while_running
    remove
    place
    tell_desktop
    echo "Installed in $app. Start it from the menu, or as $prefix/bin/$name."
    echo "To remove it: $app/install.sh --uninstall"
    ;;
--uninstall)
    refuse_while_running
    remove
    tell_desktop
    echo "Removed. Your servers and conversations are still in"
    echo "${XDG_CONFIG_HOME:-$HOME/.config}/$name and ${XDG_DATA_HOME:-$HOME/.local/share}/$name."
    ;;
*)
    usage >&2
    exit 2
    ;;
esac
