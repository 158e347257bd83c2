/** What a request target turned out to be. Only `path` is ever looked up. */
export type Target =
  | { readonly is: 'path'; readonly path: string; readonly query: string }
  /** Canonical but for one slash at its end, or small letters in its escapes, as other programs write them. */
  | { readonly is: 'near'; readonly path: string; readonly query: string }
  | { readonly is: 'odd' }
  | { readonly is: 'absolute' }
  | { readonly is: 'too-long' }

const maxLength = 8 * 1024

/** Never part of a path here: separators that another parser may read differently, and what hides a second decoding. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones refused
const forbidden = /[\u0000-\u001f\u007f-\u009f\\;#%\u2028\u2029]/u

/**
 * Reads the target of a request line. A path is known by one spelling only, so that no two parts of the
 * program can disagree about which route it means: every gate that was ever walked around this way
 * (`/./x`, `//x`, `/%78`, `/x;a=1`) compared one spelling and served another.
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

function isCanonical(path: string): boolean {
  if (path === '/') return true
  const decoded = decode(path)
  if (decoded === undefined || forbidden.test(decoded) || encodeURI(decoded) !== path) return false
  return path
    .slice(1)
    .split('/')
    .every((segment) => segment !== '' && segment !== '.' && segment !== '..')
}

/**
 * A path with each letter and its marks in one character (Unicode NFC), as the pages here have theirs. Names of files that
 * are copied into links may have several (NFD, as macOS writes them), and look the same.
 *
 * @returns nothing where the path is so
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
