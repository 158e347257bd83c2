type Variables = Readonly<Record<string, string | undefined>>

/** Variables that a program may need to start and to reach the network. None of them is a setting of ours. */
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
 * The part of an environment that every child process may see. Everything else in the operator's shell, above all keys,
 * is not passed on, because other processes can read an environment while its program runs.
 */
export const toProgramEnvironment = (env: Variables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && systemNames.has(entry[0].toUpperCase()),
    ),
  )
