import type { ServerBuild } from '../../machine/index.js';

/** The facts that the script on the other side has to know. Nothing in it needs quotes. */
export interface ScriptFacts {
  /** Begins each line that the script says, so that noise of a login is not taken for one. */
  readonly mark: string;
  /** The server for each system and processor: the name of its folder, and the digest of its files. */
  readonly servers: readonly (ServerBuild & { readonly folder: string; readonly digest: string })[];
  readonly nodeVersion: string;
  /** Whether all that is ours there is removed, instead of a server installed, and running sessions with it. */
  readonly removal?: 'usual' | 'forced' | undefined;
}

/** The exit codes of {@link CHECK}. */
const WHOLE = 40;
const NODE_RUNS = 41;

/**
 * Run by a Node of the other side, which may be an old one. The folder of a server must be a real folder of this user
 * that nobody else can look into. It must have the files of the digest and no other ones.
 */
const CHECK = [
  'if(process.versions.node.split(".")[0]<20)process.exit(1);',
  'var f=require("fs"),g=function(){return require("crypto").createHash("sha256")},h=g(),v=process.argv,a=[],r=NODE_RUNS,',
  'q=function(n){var s=f.lstatSync(n);if(!s.isDirectory()||s.uid!==process.getuid()||s.mode&63)throw 0},',
  'w=function(n){f.readdirSync(v[2]+"/"+n,{withFileTypes:true}).forEach(function(e){',
  'e.isDirectory()?w(n+e.name+"/"):a.push(n+e.name)})};',
  'try{q(v[1]);q(v[2]);w("");a.sort().forEach(function(n){var b=f.readFileSync(v[2]+"/"+n);',
  'h.update(n+" "+b.length+"\\n").update(b)});if(g().update(h.digest()).digest("hex").slice(0,v[3].length)===v[3])r=WHOLE}catch(e){}',
  'process.exit(r)',
]
  .join('')
  .replace('NODE_RUNS', String(NODE_RUNS))
  .replace('WHOLE', String(WHOLE));

/** `mv` would move a folder into one of the name that another installation has just made. */
const RENAME =
  'try{require("fs").renameSync(process.argv[1],process.argv[2])}catch(e){console.error(e.message);process.exit(1)}';

const NODES = [
  ...['.vscode-server/cli/servers/*/server', '.vscode-server-insiders/cli/servers/*/server'],
  ...['.vscode-server/bin/*', '.vscodium-server/bin/*', '.cursor-server/*/*', '.local/bin'],
  ...['.nvm/versions/node/*/bin', '.volta/tools/image/node/*/bin', '.asdf/installs/nodejs/*/bin'],
  ...['.local/share/fnm/node-versions/*/installation/bin', '.local/share/mise/installs/node/*/bin'],
].map((folder) => `"$HOME"/${folder}/node`);
/** Folders that are on the PATH of a login by ssh elsewhere. */
const NODES_OF_MACOS = '/opt/homebrew/bin/node /usr/local/bin/node';

/**
 * The other side of an installation, for any `sh`. It looks, says one line, and takes what it is sent until a server is
 * there; then it becomes the bridge to the session server. It says after its mark:
 *
 * - `need SYSTEM PROCESSOR LIBC NODE EXECUTES`, the last two `yes` or `no`. It then reads `node BYTES SHA512` or `server BYTES
 *   SHA512`, and the bytes.
 * - `ready`. The rest is the protocol.
 * - `removing`, and then `removed`, `running COUNT` or `nothing`, if it is to remove what is there.
 * - `failed WHAT`, perhaps with the first line of an error, and its end.
 *
 * Everything is unpacked aside, checked, and renamed. So a folder is there whole or not at all, and of two
 * installations the later one drops its folder.
 */
export function scriptText({ mark, servers, nodeVersion, removal }: ScriptFacts): string {
  return `
say() { printf '\\n%s %s\\n' ${mark} "$*"; }
fail() { say failed "$@"; exit 3; }
broken() {
  case $e in *'No space left'*|*'uota exceeded'*) fail space ;; esac
  fail \${1:-write} "\${e%%
*}"
}
for t in uname ls head tar gzip mkdir rm; do command -v $t >/dev/null 2>&1 || fail tool $t; done
case $(uname -s) in Linux) s=linux ;; Darwin) s=darwin ;; *) s=other ;; esac
case $(uname -m) in x86_64|amd64) p=x64 ;; aarch64|arm64) p=arm64 ;; *) p=other ;; esac
case $s-$p in
${servers.map(({ platform, arch, folder, digest }) => `${platform}-${arch}) D=${folder} d=${digest} ;;`).join('\n')}
*) fail system ;; esac
case $s:\${XDG_CACHE_HOME-} in darwin:*) C=\${HOME-}/Library/Caches ;; *:/*) C=$XDG_CACHE_HOME ;; *) C=\${HOME-}/.cache ;; esac
case $C in /.cache|/Library/Caches|[!/]*) fail home ;; esac
C=$C/exec-sessions D=$C/$D N=$C/node-${nodeVersion}-$s-$p h=$(uname -n) T=$C/.new.$h.$$
own() { [ -d "$1" ] && [ ! -L "$1" ] && [ -O "$1" ] && case $(ls -ld "$1") in drwx------*) ;; *) false ;; esac; }
[ ! -e "$C" ] && [ ! -L "$C" ] || own "$C" || fail folder
try() { case $1 in /*) [ -x "$1" ] ;; *) false ;; esac && { "$1" -e '${CHECK}' "$C" "\${2:-$D}" $d </dev/null >/dev/null 2>&1; r=$?; [ $r = ${WHOLE} ] || [ $r = ${NODE_RUNS} ]; }; }
find_node() {
  o= m=; own "$C" && own "$N" && o=$N/package/bin/node
  [ $s != darwin ] || m='${NODES_OF_MACOS}'
  for n in "$(command -v node)" "$(command -v nodejs)" "$o" ${NODES.join(' ')} $m; do try "$n" && return; done
  n= r=1
}
libc() {
  case $s-$p in linux-x64) f=/lib64/ld-linux-x86-64.so.2 ;; linux-arm64) f=/lib/ld-linux-aarch64.so.1 ;; *) f=/ ;; esac
  [ -e $f ] || { echo none; return; }
  f=$(getconf GNU_LIBC_VERSION 2>/dev/null)
  case $f in 'glibc '[0-9]*.[0-9]*) echo "\${f#glibc }" ;; *) echo unknown ;; esac
}
executes() {
  f=$C; while [ ! -d "$f/" ]; do f=\${f%/*}; done
  f=$f/.exec-sessions.$h.$$ y=yes
  e=$( (umask 077; export LC_ALL=C; mkdir "$f") 2>&1) || broken
  e=$( (umask 077; export LC_ALL=C; printf '#!/bin/sh\nexit 0\n' >"$f/x") 2>&1) || { rm -rf "$f"; broken; }
  if command -v chmod >/dev/null; then chmod 700 "$f/x"; "$f/x" 2>/dev/null || y=no; fi
  rm -rf "$f"
}
clean() {
  for f in "$C"/.new."$h".*; do
    q=\${f##*.}; [ "$q" != old ] || { q=\${f%.old}; q=\${q##*.}; }
    [ ! -d "$f" ] || kill -0 "$q" 2>/dev/null || rm -rf "$f"
  done
  rm -rf "$T"
}
sum() {
  if command -v sha512sum >/dev/null; then f=$(sha512sum <"$T/.tgz"); elif command -v shasum >/dev/null; then f=$(shasum -a 512 <"$T/.tgz"); else return 0; fi
  case $f in "$x"*) ;; *) echo 'what came is not what was sent' >&2; false ;; esac
}
unpack() { { gzip -dc "$T/.tgz" || : >"$T/.bad"; } | (cd "$T" && tar xof - "$@") && [ ! -e "$T/.bad" ] && rm -f "$T/.tgz"; }
rename() { "$n" -e '${RENAME}' "$1" "$2"; }
place() { rename "$T" "$1" 2>/dev/null || $2 || { rename "$1" "$T.old" && rename "$T" "$1"; }; }
same_server() { try "$n" && [ $r = ${WHOLE} ]; }
same_node() { own "$N" && try "$N/package/bin/node"; }
put() {
  umask 077; export LC_ALL=C
  mkdir -p "$C" && own "$C" && clean && mkdir "$T" && head -c "$k" >"$T/.tgz" && sum || return 1
  case $w in
  node) unpack package/bin/node package/LICENSE || return 1
    n=$T/package/bin/node; "$n" -e 0 || return 9
    place "$N" same_node ;;
  server) unpack && try "$n" "$T" && [ $r = ${WHOLE} ] && place "$D" same_server ;;
  esac
}
${removal === undefined ? '' : removalText(removal)}while :; do
  find_node
  if [ $r = ${WHOLE} ]; then say ready; exec "$n" "$D/exec-server.js" bridge --stdio --sessions; fi
  executes
  [ -n "$n" ] && f=yes || f=no
  say need $s $p "$(libc)" $f $y
  read -r w k x || exit 4
  case $w:$k in node:*[!0-9]*|server:*[!0-9]*|*:) exit 4 ;; node:*|server:*) ;; *) exit 4 ;; esac
  e=$(put 2>&1 >/dev/null); c=$?
  rm -rf "$T" "$T.old"
  case $c in 0) ;; 9) broken node ;; *) broken ;; esac
done
`;
}

/** A server removes itself, and all others of the account. A folder that others could have written does not count. */
function removalText(removal: 'usual' | 'forced'): string {
  return `
for f in "$D" "$C"/server-*; do
  own "$C" && own "$f" && [ -f "$f/exec-server.js" ] || continue
  find_node
  [ -n "$n" ] || fail remove 'no Node runs there any more. Remove .cache/exec-sessions by hand'
  say removing
  w=$("$n" "$f/exec-server.js" uninstall${removal === 'forced' ? ' --force' : ''} </dev/null 2>&1); c=$? e=$w
  case $c in 0|3) say "\${w##*
}"; exit 0 ;; *) broken remove ;; esac
done
say nothing; exit 0
`;
}

/**
 * The script as one line of shell. Every login shell reads it alike: nothing in it is special to one of them between
 * single quotes.
 */
export function scriptLine(facts: ScriptFacts): string {
  const octal = (character: string) => `\\0${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  const encoded = scriptText(facts)
    .trim()
    .replace(/[\\'!%`]/g, octal)
    .replaceAll('\n', '\\n');
  return `exec sh -c 'eval "$(printf %b "$1")"' sh '${encoded}'`;
}
