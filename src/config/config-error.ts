/** A wrong environment, one line per key. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
