import { htmlToMarkdown } from '../html/html-to-markdown.ts'
import { csvToText } from './csv-to-text.ts'
import { type DocumentTask, enoughFor, type ReadDocument, toDocument, toWords, unread } from './document.ts'
import { isShell } from './is-shell.ts'
import { jsonToText } from './json-to-text.ts'
import { xmlToText } from './xml-to-text.ts'

type Kind = 'html' | 'text' | 'json' | 'xml' | 'csv' | 'tsv'

const kinds = new Map<string, Kind>([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/markdown', 'text'],
  ['text/x-markdown', 'text'],
  ['text/plain', 'text'],
  ['application/json', 'json'],
  ['text/json', 'json'],
  ['application/jsonl', 'text'],
  ['application/x-ndjson', 'text'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
  ['text/csv', 'csv'],
  ['application/csv', 'csv'],
  ['text/tab-separated-values', 'tsv'],
])

/** By the media type, or by its structured syntax suffix (RFC 6839): `application/ld+json`, `application/rss+xml`. */
const toKind = (type: string): Kind | undefined =>
  kinds.get(type) ??
  (/^application\/[\w.-]+\+(?:json|xml)$/.test(type) ? (type.endsWith('json') ? 'json' : 'xml') : undefined)
const longestTitle = 300

/** Reads the body that a server sent into cleaned text that is fit for a bundle. */
export function readDocument(task: DocumentTask): ReadDocument {
  const { url, contentType, body, isCut, maxChars } = task
  const [named = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase())
  const kind = named === '' ? sniff(body) : toKind(named)
  if (!kind) return unread('not text')
  const charset = parameters.map((part) => /^charset\s*=\s*"?([^"\s]+)/.exec(part)?.[1]).find(Boolean)
  const decoded = decodeText(body, { charset, kind, isCut })
  if (decoded === undefined) return unread('its charset is not known')
  const enough = enoughFor(maxChars)
  const page = toText(decoded, kind, { url, enough, isCut })
  if (!page) return unread('its XML is broken')
  const words = toWords(page.text, maxChars)
  if (kind === 'html' && isShell(decoded, words))
    return unread('an empty shell: scripts fill it in, and none is run here')
  return toDocument({ ...page, text: words, isWhole: page.isWhole && page.text.length <= enough }, task)
}

interface ToTextOptions {
  readonly url: string
  readonly enough: number
  readonly isCut: boolean
}

/** Title and text of a document; undefined when it is not valid as its kind (only XML). */
function toText(
  decoded: string,
  kind: Kind,
  options: ToTextOptions,
): { title: string; text: string; isWhole: boolean } | undefined {
  switch (kind) {
    case 'html':
      return htmlToMarkdown(decoded, options)
    case 'xml':
      return xmlToText(decoded, options)
    case 'json':
      return { ...jsonToText(decoded, options.enough), isWhole: true }
    case 'csv':
    case 'tsv': {
      const isWhole = decoded.length <= options.enough
      const isCut = options.isCut || !isWhole
      return {
        title: '',
        text: csvToText(decoded.slice(0, options.enough), { isCut, hasTabs: kind === 'tsv' }),
        isWhole,
      }
    }
    case 'text':
      return { title: findHeading(decoded), text: decoded, isWhole: true }
  }
}

/**
 * The kind of a body without a media type: HTML if it begins like HTML, otherwise text unless it contains a NUL byte.
 */
function sniff(body: Uint8Array): 'html' | 'text' | undefined {
  const start = Buffer.from(body.subarray(0, 1024))
  const text = new TextDecoder().decode(start)
  if (/^\s*(?:<!doctype\s+html|<html|<head|<body|<title|<meta|<!--)/i.test(text)) return 'html'
  return start.includes(0) ? undefined : 'text'
}

/** The title in the front matter of a text, or its first heading. */
function findHeading(text: string): string {
  const start = text.slice(0, 4096)
  const named = start.startsWith('---') ? /^title:[ \t]*(\S[^\n]*)/m.exec(start)?.[1] : undefined
  const heading = named ?? /^#[ \t]+([^\n]+)/m.exec(start)?.[1] ?? ''
  return heading.replace(/[*_`#"]/g, '').slice(0, longestTitle)
}

/**
 * Labels that mean UTF-8 when the document itself declares them: a declaration that can be read as ASCII is not UTF-16
 * (WHATWG HTML, determining the character encoding).
 */
const asUtf8: ReadonlySet<string> = new Set(['utf-16', 'utf-16le', 'utf-16be'])
const metaBytes = 1024

/**
 * Decodes a body: by its byte order mark, else the charset of the response, else the one that the document declares in
 * its first kilobyte; otherwise as UTF-8 if it is valid UTF-8, and as windows-1252, the legacy default of the web, if
 * not.
 *
 * @returns undefined when the named charset is not supported by browsers
 */
function decodeText(
  bytes: Uint8Array,
  { charset, kind, isCut }: { charset: string | undefined; kind: Kind; isCut: boolean },
): string | undefined {
  const marked = readMark(bytes)
  const named =
    marked ?? charset ?? (kind === 'html' ? findMeta(bytes) : kind === 'xml' ? findDeclared(bytes) : undefined)
  // A body that was cut off may end inside a multi-byte character.
  const stream = isCut
  if (named !== undefined) return decode(bytes, named, { stream })
  return decode(bytes, 'utf-8', { stream, fatal: true }) ?? decode(bytes, 'windows-1252', { stream })
}

function readMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

function decode(
  bytes: Uint8Array,
  charset: string,
  { stream, fatal = false }: { stream: boolean; fatal?: boolean },
): string | undefined {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes, { stream })
  } catch {
    return undefined
  }
}

/** The encoding of the XML declaration; UTF-16 labels mean UTF-8 here, see `asUtf8`. */
function findDeclared(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1').toLowerCase()
  const charset = /^\s{0,20}<\?xml\s[^>]{0,150}?encoding\s*=\s*["']([^"'\s]{1,40})["']/.exec(start)?.[1]
  return charset !== undefined && asUtf8.has(charset) ? 'utf-8' : charset
}

/** The charset of `<meta charset>` or of its older `http-equiv` form; UTF-16 labels mean UTF-8 here, see `asUtf8`. */
function findMeta(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, metaBytes)).toString('latin1').toLowerCase()
  for (const [tag] of start.matchAll(/<meta\s[^>]{0,400}/g)) {
    const charset = /charset\s*=\s*["']?\s*([^\s"'/>;]{1,40})/.exec(tag)?.[1]
    if (charset !== undefined) return asUtf8.has(charset) ? 'utf-8' : charset
  }
  return undefined
}
