/** One spelling of a request target, in latin1: one character is one byte. */
export interface Spelling {
  name: string
  target: string
  /** Whether it is the documented spelling of the path; every other spelling names nothing. */
  isCanonical: boolean
}

const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

/** Queries that may select another response of the same path. */
const queries = [
  '?',
  '?a=1',
  '?inspect=1',
  '?format=md',
  '?paid=true',
  '?_method=OPTIONS',
  '?payment-signature=x',
  '?/../',
]

/** About seventy spellings that some server, proxy or framework treats as the same path. */
export function spellPath(path: string): Spelling[] {
  const parent = path.slice(0, path.lastIndexOf('/'))
  const last = path.slice(parent.length + 1)
  const letter = path.charAt(1)
  const rest = path.slice(2)
  const before = parent === '' ? '' : parent
  const odd: Record<string, string> = {
    'two slashes first': `/${path}`,
    'three slashes first': `//${path}`,
    'two slashes last': `${before}//${last}`,
    'two slashes at the end': `${path}//`,
    'a slash at the end': `${path}/`,
    'a slash and a query': `${path}/?x`,
    'dot first': `/.${path}`,
    'dot in the middle': `${before}/./${last}`,
    'dot at the end': `${path}/.`,
    'up and down': `/x/..${path}`,
    'up from the root': `/..${path}`,
    'up at the end': `${path}/x/..`,
    'encoded dot': `/%2e${path}`,
    'encoded dots': `/x/%2e%2e${path}`,
    'encoded dots, upper case': `/x/%2E%2E${path}`,
    'half encoded dots': `/x/.%2e${path}`,
    'encoded dot at the end': `${path}/%2e`,
    'encoded slash': `${before}%2f${last}`,
    'encoded slash, upper case': `${before}%2F${last}`,
    'encoded slash first': `/%2f${path.slice(1)}`,
    'encoded slash at the end': `${path}%2f`,
    backslashes: path.replaceAll('/', '\\'),
    'slash and backslash': `/\\${path.slice(1)}`,
    'backslash at the end': `${path}\\`,
    'encoded backslash': `${before}%5c${last}`,
    'matrix parameter': `${path};a=1`,
    'matrix parameter first': `/;a=1${path}`,
    'bare semicolon': `${path};`,
    'encoded semicolon': `${path}%3ba=1`,
    'encoded NUL': `${path}%00`,
    'encoded NUL and suffix': `${path}%00.html`,
    'raw NUL': `${path}\0`,
    'raw tab': `${path}\t`,
    'raw space': `${path} x`,
    'encoded space': `${path}%20`,
    'encoded line end': `${path}%0d%0ax:y`,
    'upper case': path.toUpperCase(),
    'one capital': `/${letter.toUpperCase()}${rest}`,
    'one letter encoded': `/${percent(letter)}${rest}`,
    'every letter encoded': `/${percent(path.slice(1))}`,
    'last letter encoded': `${path.slice(0, -1)}${percent(path.slice(-1))}`,
    'encoded twice': `/%25${percent(letter).slice(1)}${rest}`,
    'slash encoded twice': `${before}%252f${last}`,
    'dots encoded twice': `/x/%252e%252e${path}`,
    'IIS encoding': `/%u00${percent(letter).slice(1)}${rest}`,
    fragment: `${path}#x`,
    'fragment after a query': `${path}?#x`,
    'encoded fragment': `${path}%23x`,
    'encoded query': `${path}%3finspect=1`,
    'absolute form of another spelling': `http://farthing.test/.${path}`,
    'absolute form of an absolute form': `http://farthing.test/http://farthing.test${path}`,
    'absolute form without a host': `http://${path}`,
    'absolute form with a user': `http://user@farthing.test${path}`,
    'no slash first': path.slice(1),
    'authority form': 'farthing.test:80',
    'full-width letter': `/${percent('ａ')}${rest}`,
    'full-width letter, raw': `/${bytes('ａ')}${rest}`,
    'Cyrillic letter': path.replace('a', percent('а')).replace(/^([^%]*)$/, `$1${percent('а')}`),
    'full-width solidus': `${before}${percent('／')}${last}`,
    'division slash': `${before}${percent('∕')}${last}`,
    'full-width dots': `/x/${percent('．．')}${path}`,
    'zero-width space': `${path}${percent('\u200b')}`,
    'soft hyphen': `/${letter}${percent('\u00ad')}${rest}`,
    'overlong slash': `${before}%c0%af${last}`,
    'longer overlong slash': `${before}%e0%80%af${last}`,
    'overlong dots': `/x/%c0%ae%c0%ae${path}`,
    'overlong slash, raw': `${before}\xc0\xaf${last}`,
    'markdown suffix': `${path}.md`,
    'JSON suffix': `${path}.json`,
    'HTML suffix': `${path}.html`,
    'brotli suffix': `${path}.br`,
    'dot suffix': `${path}.`,
    'backup suffix': `${path}~`,
    'index file': `${path}/index.html`,
    'in the client folder': `/client${path}`,
    'in the assets folder': `/_astro${path}`,
    'up from the assets folder': `/_astro/..${path}`,
    'in the private folder': `/private${path}`,
  }
  return [
    { name: 'as it is', target: path, isCanonical: true },
    ...['http://farthing.test', 'HTTPS://evil.test:1'].map((origin) => ({
      name: `absolute form of ${origin}`,
      target: origin + path,
      isCanonical: true,
    })),
    ...queries.map((query) => ({ name: `query ${query}`, target: path + query, isCanonical: true })),
    ...Object.entries(odd).map(([name, target]) => ({ name, target, isCanonical: false })),
  ]
}

/** Paths of the stored products on disk, in case a file server exposes them. */
export const spellPrivateFiles = (names: readonly string[]): string[] => [
  ...names.flatMap((name) => [
    `/private/${name}`,
    `/client/private/${name}`,
    `/../private/${name}`,
    `/_astro/../../private/${name}`,
    `/_astro/%2e%2e/%2e%2e/private/${name}`,
    `/%2e%2e/private/${name}`,
    `/..%2fprivate%2f${name}`,
    `/.build/private/${name}`,
    `/${name}`,
    `/_image?href=/private/${name}`,
    `/_image?href=file:///private/${name}&f=svg`,
    `/_server-islands/${name}`,
    `/@fs/private/${name}`,
  ]),
  '/build.json',
  '/manifest.json',
  '/_headers.json',
  '/server/entry.cjs',
  '/.data/ledger.db',
  '/ledger.db',
  '/.env',
  '/.git/config',
]
