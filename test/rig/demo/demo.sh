#!/usr/bin/env bash
# The session that `npm start` starts: it says what there is to try.
printf '\e[1;36mWelcome to Exec Sessions.\e[0m  This is a session: a process, with a terminal to watch it.\n\n'
printf '  \e[33m1\e[0m  Close this terminal. The session goes on; its row in the view opens it again.\n'
printf '  \e[33m2\e[0m  Press \e[7m F1 \e[0m and choose \e[1mExec Sessions: New Session…\e[0m  Try \e[32mnode server.mjs\e[0m or \e[32mbash fail.sh\e[0m\n'
printf '  \e[33m3\e[0m  Rest the mouse on a row to see all about it; the right button has the rest.\n'
printf '  \e[33m4\e[0m  Type here: I answer. \e[1mexit\e[0m ends me, and so do Ctrl-C and \e[1mStop\e[0m.\n\n'
while IFS= read -r -p $'\e[36myou>\e[0m ' line; do
  [[ $line == exit ]] && exit 0
  printf '\e[35mI read %d characters: %s\e[0m\n' "${#line}" "$line"
done
