# Runs a server the way npx does: a shell that stays as its parent.
"$@"
exit $?
