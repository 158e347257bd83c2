/** The error for a wrong environment; its message has one line per key. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
