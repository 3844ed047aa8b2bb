#!/bin/sh
# Installs the app, has it used by an ordinary user (use_installed.sh), removes it, and sees what is
# left. `try_installed.sh deb|folder`, as root in a bare tree that has the .deb, the unpacked folder
# and both scripts in /opt. Prints a line a check; exit code 1 when one failed.
set -u

name=mcp-desktop
home=/home/person
failed=0

person() {
    setpriv --reuid 1000 --regid 1000 --clear-groups env -i \
        PATH=/usr/bin:/bin HOME="$home" SHELL=/bin/bash LANG=C.UTF-8 "$@"
}

verdict() { # NAME WORDS COMMAND...
    check=$1 words=$2
    shift 2
    if "$@" >&2; then
        printf 'ok\t%s\t%s\n' "$check" "$words"
    else
        printf 'failed\t%s\t%s\n' "$check" "$words"
        failed=1
    fi
}

# Every file of the system, but those that Debian keeps up to date by itself.
system_files() {
    find /usr /etc /opt ! -name mimeinfo.cache ! -name '*.cache' ! -path '/usr/share/mime/*' | sort
}

# Files of the home that are neither the person's own nor put there by the trial.
strays() {
    find "$home" -type f ! -path "$home/.config/$name/*" ! -path "$home/.local/share/$name/*" \
        ! -path "$home/tools/*" ! -path "$home/Downloads/*" \
        ! -path "$home/.profile" ! -path "$home/trace.jsonl" \
        ! -path "$home/.local/share/applications/mimeinfo.cache" \
        ! -path "$home/.local/share/mime/*" ! -path "$home/.cache/fontconfig/*"
}
no_strays() {
    found=$(strays)
    test -z "$found" || ! echo "$found" >&2
}
own_files() { test -f "$home/.config/$name/mcp.json" && test -d "$home/.local/share/$name"; }

cd "$home"
system_files >/tmp/before
case $1 in
deb)
    dpkg -i /opt/$name.deb >&2
    person xvfb-run -a sh /opt/use_installed.sh /usr/share/applications/$name.desktop || failed=1
    dpkg -r $name >&2
    ;;
folder)
    person /opt/$name/install.sh >&2
    entry=$home/.local/share/applications/$name.desktop
    person xvfb-run -a sh /opt/use_installed.sh "$entry" || failed=1
    person "$home/.local/lib/$name/install.sh" --uninstall >&2
    ;;
esac
system_files >/tmp/after
verdict "removed" "the system is as it was" diff /tmp/before /tmp/after
verdict "strays" "nothing else is left in the home" no_strays
verdict "kept" "config and data folder are still there" own_files
exit $failed
