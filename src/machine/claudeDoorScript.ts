import { existsSync } from 'node:fs';

import { quoteCommandLine } from '../core/index.js';

/**
 * The script that runs each command of Claude Code, and writes it down in a file, with the exit code at its end. Output,
 * descriptors and variables stay as they are. Hooks and MCP servers, and everything without a server, run without a file.
 *
 * Bash passes on exported functions, and names like `a.b`. Descriptor 9 keeps the errors from the script's own shell,
 * which would report signals there.
 *
 * @param folders The first one with a server is used.
 */
export function claudeDoorScript(folders: readonly string[], hasBash = existsSync('/bin/bash')): string {
  const inBash = (line: string) => (hasBash ? `${line}\n` : '');
  return `#!${hasBash ? '/bin/bash -p' : '/bin/sh'}
# Claude Code's settings.json names this script, so that Exec Sessions can list the commands of Claude Code.
case \${AI_AGENT-} in *_harness) exec /bin/sh -c "$1" ;; esac
${inBash('set +p\ncase ${SHELL@a} in *x*) ;; *) SHELL=/bin/sh ;; esac')}_exs_file=
if [ -e /proc/$$/fd/2 ] && [ ! -e /proc/$$/fd/9 ]; then
  set -C
  for _exs_dir in ${quoteCommandLine(folders)}; do
    if [ ! -L "$_exs_dir" ] && [ -O "$_exs_dir" ] && [ -f "$_exs_dir/server" ] && [ ! -e "$_exs_dir/$$" ] &&
      read -r _exs_pid _exs_stat < "$_exs_dir/server" && [ -e "/proc/\${_exs_pid:-none}/stat" ] &&
      read -r _exs_stat < /proc/$$/stat &&
      printf '%s\\0%s\\0%s\\0%s\\0' "$_exs_stat" "\${CLAUDE_CODE_SESSION_ID-}" "$PWD" "$1" > "$_exs_dir/$$"; then
      _exs_file=$_exs_dir/$$
      break
    fi
  done 2>/dev/null
  set +C
fi
[ -n "$_exs_file" ] || exec "\${SHELL:-/bin/sh}" -c "$1"
${inBash('SHLVL=$((SHLVL-1))')}exec 9>&2 2>/dev/null
(exec "\${SHELL:-/bin/sh}" -c "$1" 2>&9 9>&-)
_exs_code=$?
[ ! -f "$_exs_file" ] || printf '%s\\0' "$_exs_code" >> "$_exs_file"
exit "$_exs_code"
`;
}
