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
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.mp3': 'audio/mpeg',
  '.wasm': 'application/wasm',
  '.tgz': 'application/gzip',
  '.pdf': 'application/pdf',
  '.webmanifest': 'application/manifest+json',
}

/** The media type of a file that no route has named one for. */
export const contentTypeOf = (file: string): string => types[extname(file)] ?? 'application/octet-stream'

/** Whether compression pays: text in any form, not what is compressed already. */
export const isCompressible = (type: string): boolean =>
  /^(?:text\/|image\/svg\+xml|application\/(?:[\w.+-]*(?:json|xml)|javascript|wasm)\b)/.test(type)
