/** The kind of a request target. Only `path` is ever looked up. */
export type Target =
  | { readonly is: 'path'; readonly path: string; readonly query: string }
  /** Canonical except for one trailing slash or lower-case percent escapes, as some programs write them. */
  | { readonly is: 'near'; readonly path: string; readonly query: string }
  | { readonly is: 'odd' }
  | { readonly is: 'absolute' }
  | { readonly is: 'too-long' }

const maxLength = 8 * 1024

/**
 * Characters that are never allowed in a path: separators that another parser may treat differently, and percent signs,
 * which would allow a second decoding.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones refused
const forbidden = /[\u0000-\u001f\u007f-\u009f\\;#%\u2028\u2029]/u

/**
 * Reads the target of a request line. Each path has only one accepted spelling, so that all parts of the program agree
 * about which route it means. Ways around a paywall (`/./x`, `//x`, `/%78`, `/x;a=1`) work where one spelling is
 * checked and another is served.
 */
export function readTarget(target: string): Target {
  if (target.length > maxLength) return { is: 'too-long' }
  if (!target.startsWith('/')) return { is: 'absolute' }
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const query = mark < 0 ? '' : target.slice(mark)
  if (query.includes('#')) return { is: 'odd' }
  if (isCanonical(path)) return { is: 'path', path, query }
  const near = path.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase()).replace(/\/$/, '')
  return near !== '' && near !== '/' && isCanonical(near) ? { is: 'near', path: near, query } : { is: 'odd' }
}

/** The form of most paths, which have one spelling; any other is decoded and compared. */
const plain = /^(?:\/[A-Za-z0-9_-]+)+$/

function isCanonical(path: string): boolean {
  if (path === '/' || plain.test(path)) return true
  const decoded = decode(path)
  if (decoded === undefined || forbidden.test(decoded) || encodeURI(decoded) !== path) return false
  return path
    .slice(1)
    .split('/')
    .every((segment) => segment !== '' && segment !== '.' && segment !== '..')
}

/**
 * A path in Unicode NFC, as the pages here have theirs. Names of files that are copied into links may be in NFD, as
 * macOS writes them, and look the same.
 *
 * @returns undefined where the path is already in NFC
 */
export function toOneSpelling(path: string): string | undefined {
  const decoded = path.includes('%') ? decode(path) : undefined
  const spelled = decoded && encodeURI(decoded.normalize('NFC'))
  return spelled === path ? undefined : spelled
}

function decode(path: string): string | undefined {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
