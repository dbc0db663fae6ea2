#!/usr/bin/env bash
echo 'checking the widgets ... ok'
echo 'checking the gadgets ...'
printf '\e[31mgadget 7 is broken\e[0m\n' >&2
exit 3
