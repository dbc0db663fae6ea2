/** How a program is given secrets. */
export interface ProgramRules {
  /** Its options, by their names, with what separates the secret from the rest of their value. */
  readonly options: ReadonlyMap<string, OptionRule>;
  /** The options whose value is not a secret, although the name says so. */
  readonly plain: ReadonlySet<string>;
  /** Whether the first word that is no option is a secret, and what separates it from the rest. */
  readonly first?: string | undefined;
  /** Whether the last word is a secret. */
  readonly last: boolean;
  /** Whether a word that names a secret comes before it: `set API_TOKEN …`. */
  readonly names: boolean;
  /** Whether it always reads a secret from its input. */
  readonly reads: boolean;
  /** Whether a secret follows the first `=` of each word. */
  readonly pairs: boolean;
}

export interface OptionRule {
  readonly separator: string;
  /** Whether the value may be the next word, and whether it may follow at once. */
  readonly apart: boolean;
  readonly glued: boolean;
}

/**
 * The programs, with subcommands or none, and their rules:
 *
 * - `-p`: the value of this option. `-u:`: the part of the value after the colon. `-p!`: only `-pVALUE`; `-k+`: never.
 * - `word`: the next word, as after the name of an option. `!--key`: not the value of this option.
 * - `FIRST`, `FIRST/`: the first word, or its part after the slash. `LAST`: the last word.
 * - `NAMES`: the word after the name of a secret. `PAIRS`: the value of each `NAME=value`. `READS`: the input.
 */
const TABLE: readonly (readonly [programs: string, subcommands: string, rules: string])[] = [
  ['curl', '', '-b= --cookie= --oauth2-bearer --pass --proxy-pass -u: --user: -U: --proxy-user: -E: --cert:'],
  ['http https xh', '', '-a: --auth:'],
  ['ab', '', '-A: -P:'],
  ['lftp', '', '-u,'],
  ['etcdctl', '', '--user:'],
  ['mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlbinlog mysqlsh', '', '-p! password'],
  ['mariadb mariadb-dump mariadb-admin mariadb-import mariadb-check', '', '-p! password'],
  ['sshpass psexec twine poetry beeline cqlsh cypher-shell rabbitmqadmin rdesktop influx', '', '-p'],
  ['snowsql ncftpput ncftpget useradd usermod yt-dlp youtube-dl elasticsearch-users supabase', '', '-p'],
  ['mongo mongosh mongodump mongorestore mongoexport mongoimport', '', '-p'],
  ['docker podman nerdctl buildah skopeo helm oras crane az oc cf ibmcloud', 'login', '-p'],
  ['docker podman wrangler vercel wg pass', 'secret env pubkey insert', 'READS'],
  ['docker podman buildah nerdctl gcloud', '', '!--secret'],
  ['aws', '', '!--key'],
  ['az', 'keyvault', '--value'],
  ['kubectl oc', 'secret', '--from-literal= READS'],
  ['gh', 'secret', '-b --body READS'],
  ['gcloud', 'secrets', '!--secret READS'],
  ['fly flyctl supabase', 'secrets', 'READS PAIRS'],
  ['vault', 'login', 'FIRST READS'],
  ['vault', 'kv put', 'READS PAIRS'],
  ['chpasswd passwd smbpasswd cryptsetup kinit su vncpasswd', '', 'READS'],
  ['ngrok', '', 'authtoken add-authtoken'],
  ['nuget', '', 'setapikey'],
  ['dotnet nuget', 'push', '-k'],
  ['nuget', 'add', '-p'],
  ['rclone', '', 'obscure'],
  ['convertto-securestring', '', 'FIRST -string'],
  ['sqlplus sqlldr', '', 'FIRST/'],
  ['redis-cli', '', '-a auth AUTH'],
  ['openssl', '', '-k+ -K+ -pass~pass: -passin~pass: -passout~pass:'],
  ['sqlcmd osql bcp tsql mosquitto_pub mosquitto_sub ipmitool zip unzip', '', '-P'],
  ['ssh-keygen', '', '-N -P'],
  ['ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare', '', '-w'],
  ['ldappasswd', '', '-w -a -s'],
  ['smbclient smbget rpcclient winexe net', '', '-U% --user%'],
  ['snmpget snmpwalk snmpset snmpbulkwalk', '', '-A+ -X+'],
  ['7z 7za 7zr 7zz', '', '-p!'],
  ['rar unrar', '', '-p! -hp!'],
  ['plink pscp psftp', '', '-pw'],
  ['xfreerdp xfreerdp3 wfreerdp signtool', '', '/p'],
  ['security', '', '-w+ -p+ -P+'],
  ['security', 'find-identity find-certificate', '!-p'],
  ['codecov vercel doctl', '', '-t'],
  ['pdftotext pdftoppm pdfinfo pdfimages', '', '-upw -opw'],
  ['pdftk', '', 'user_pw owner_pw input_pw'],
  ['htpasswd mosquitto_passwd', '-b -nb -bn -cb -bc -bB -nbB -cbB -nbBC -bBC', 'LAST'],
  ['rabbitmqctl drush net', 'add_user change_password user:password user use', 'LAST'],
  ['mc bw', 'set login', 'LAST'],
  ['wpa_passphrase', '', 'LAST'],
  ['composer poetry', 'http-basic', 'LAST'],
  ['cargo snyk wandb', 'login auth', 'FIRST'],
  ['ansible-vault composer poetry', 'encrypt_string github-oauth gitlab-token pypi-token', 'FIRST'],
  ['bw', 'unlock', 'FIRST READS'],
  ['caddy', 'hash-password', '--plaintext'],
  ['schtasks', '', '/rp'],
  ['k6', 'login', '-t'],
  ['set setx setenv nmcli machine iwconfig', '', 'NAMES'],
  ['git npm pnpm yarn pip composer rclone aws dotnet', 'config configure user-secrets', 'NAMES'],
  ['pulumi', 'config', '!--secret NAMES'],
];

/** A command's last word is a secret only if it has at least so many words, without options. */
export const WORDS_OF_LAST = 2;

const RULES = new Map<string, ProgramRules>();
export const NO_RULES: ProgramRules = {
  options: new Map(),
  plain: new Set(),
  last: false,
  names: false,
  reads: false,
  pairs: false,
};

for (const [programs, subcommands, rules] of TABLE) {
  const words = rules.split(' ');
  const made: ProgramRules = {
    options: new Map(
      words.filter((word) => !/^(?:!|(?:FIRST|LAST|NAMES|PAIRS|READS)\b)/.test(word)).map(optionRule),
    ),
    plain: new Set(words.filter((word) => word.startsWith('!')).map((word) => word.slice(1))),
    first: words.find((word) => word.startsWith('FIRST'))?.slice('FIRST'.length),
    last: words.includes('LAST'),
    names: words.includes('NAMES'),
    reads: words.includes('READS'),
    pairs: words.includes('PAIRS'),
  };
  for (const program of programs.split(' ')) {
    RULES.set(program, RULES.get(program) ?? NO_RULES);
    for (const subcommand of subcommands.split(' ')) {
      RULES.set(subcommand === '' ? program : `${program} ${subcommand}`, made);
    }
  }
}

function optionRule(word: string): readonly [string, OptionRule] {
  const [, name = '', kind = ''] = /^(.*?)(?:~(?=.))?(pass:|[:=,%!+]?)$/.exec(word) ?? [];
  return [name, { separator: /[!+]/.test(kind) ? '' : kind, apart: kind !== '!', glued: kind !== '+' }];
}

/** The rules of a program, or of its subcommand. */
export function rulesOf(program: string, subcommand = ''): ProgramRules | undefined {
  return RULES.get(subcommand === '' ? program : `${program} ${subcommand}`);
}
