type Variables = Readonly<Record<string, string | undefined>>

/** What a program of ours or of others may need to start and to reach the network; none of it is a setting. */
const systemNames = new Set(
  [
    'PATH HOME USER LOGNAME SHELL TMPDIR TMP TEMP TZ LANG LANGUAGE LC_ALL LC_CTYPE TERM NO_COLOR FORCE_COLOR',
    'NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS NODE_USE_SYSTEM_CA NODE_USE_ENV_PROXY NODE_V8_COVERAGE NODE_COMPILE_CACHE',
    'SSL_CERT_FILE SSL_CERT_DIR HTTP_PROXY HTTPS_PROXY NO_PROXY UV_THREADPOOL_SIZE LD_LIBRARY_PATH',
    'FONTCONFIG_FILE FONTCONFIG_PATH XDG_CACHE_HOME',
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA',
  ].flatMap((line) => line.split(' ')),
)

/**
 * The part of an environment that every program may see. Whatever else the operator's shell holds, keys above all,
 * stays where it is needed: an environment can be read from outside for as long as its program runs.
 */
export const toProgramEnvironment = (env: Variables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && systemNames.has(entry[0].toUpperCase()),
    ),
  )
