/**
 * Whether an `If-None-Match` header names this tag, compared weakly (RFC 9110, 13.1.2): a cache between us
 * and the reader may have weakened it.
 */
export const isNoneMatch = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',', 64).some((tag) => tag.trim().replace(/^W\//, '') === etag))
