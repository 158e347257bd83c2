import { extname } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.vtt': 'text/vtt; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.ics': 'text/calendar; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.ogg': 'audio/ogg',
  '.wav': 'audio/wav',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mov': 'video/quicktime',
  '.wasm': 'application/wasm',
  '.tgz': 'application/gzip',
  '.zip': 'application/zip',
  '.epub': 'application/epub+zip',
  '.pdf': 'application/pdf',
  '.webmanifest': 'application/manifest+json',
}

/**
 * The media type of a file for which no route names one. It matters because `nosniff` forbids browsers to guess, and
 * some neither show nor play a file without a type. The extension may be upper case, as cameras write it.
 */
export const contentTypeOf = (file: string): string => types[extname(file).toLowerCase()] ?? 'application/octet-stream'

/** Whether compression is worthwhile: for text in any form, not for formats that are compressed already. */
export const isCompressible = (type: string): boolean =>
  /^(?:text\/|image\/svg\+xml|application\/(?:[\w.+-]*(?:json|xml)|javascript|wasm)\b)/.test(type)
