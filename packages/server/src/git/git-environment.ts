/**
 * Who runs git. `ours`: apart from filters, the repository can't run anything, and git has no network access. `person`:
 * as if the user had typed it (hooks, signing, credentials, ssh), but it never waits for a terminal.
 */
export type GitProfile = 'ours' | 'person';

type Environment = Readonly<Record<string, string | undefined>>;

const inherited = /^(PATH|HOME|USER|LOGNAME|LANG|SSH_AUTH_SOCK|TMPDIR|XDG_.*)$/;
/** Additional variables that the user's own git may need: proxies, certificates, signing agents, version managers. */
const personal =
  /^(LC_.*|GPG_.*|GNUPGHOME|SSH_.*|(https?|all|no|ftp)_proxy|SSL_CERT_.*|NODE_EXTRA_CA_CERTS|SHELL|NVM_.*|VOLTA_.*|ASDF_.*|MISE_.*|PYENV_.*|DBUS_SESSION_BUS_ADDRESS)$/i;

const silent = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_EDITOR: ':',
  GIT_SEQUENCE_EDITOR: ':',
  GCM_INTERACTIVE: 'never',
};

/** The whole environment of a git process, without any inherited GIT_ variable. */
export function gitEnvironment(profile: GitProfile, from: Environment = process.env): Record<string, string> {
  const wanted = (name: string) => inherited.test(name) || (profile === 'person' && personal.test(name));
  const kept = Object.entries(from).filter(
    (entry): entry is [string, string] => wanted(entry[0]) && entry[1] !== undefined,
  );
  const base = { ...Object.fromEntries(kept), ...silent };
  if (profile === 'person') return base;
  return {
    ...base,
    LC_ALL: 'C',
    // A background read must not take the lock that the user's or the agent's git needs.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    // Older git still tries to fetch missing objects of a partial clone. With no protocol allowed, it can't.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
  };
}

/**
 * For commands that only record files. With `core.safecrlf`, one file whose line endings git converts would make them
 * fail. Its own bytes are kept besides.
 */
export const anyLineEndings = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.safecrlf',
  GIT_CONFIG_VALUE_0: 'false',
} as const;

const ours = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.untrackedCache=false',
  'core.pager=cat',
  'core.sshCommand=ssh',
  'credential.helper=',
  'core.askPass=',
  'core.alternateRefsCommand=',
  'core.gitProxy=',
  'diff.external=',
  'protocol.ext.allow=never',
  'log.showSignature=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'safe.bareRepository=explicit',
  'core.quotePath=false',
];
/**
 * `true`: git syncs each object and ref to disk as it writes it. `unsynced`: the caller syncs all of them together
 * afterwards.
 */
export type GitWrites = boolean | 'unsynced';
const durable = 'core.fsync=loose-object,reference';
const unsynced = 'core.fsync=none';

/** The settings as arguments that come before the command. */
export function gitSettings(profile: GitProfile, writes: GitWrites): string[] {
  const settings = [
    ...(profile === 'ours' ? ours : ['core.pager=cat']),
    ...(writes === false ? [] : [writes === 'unsynced' ? unsynced : durable]),
  ];
  return settings.flatMap((setting) => ['-c', setting]);
}
