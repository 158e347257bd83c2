/**
 * Whether an `If-None-Match` header names this tag, compared weakly (RFC 9110, 13.1.2): a cache between us
 * and the reader may have weakened it.
 */
export const isNoneMatch = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',', 64).some((tag) => tag.trim().replace(/^W\//, '') === etag))

/** Whether what was last changed then is no newer than an `If-Modified-Since` header (RFC 9110, 13.1.3). */
export const isNotNewer = (lastModified: string | number | undefined, since: string | undefined): boolean =>
  typeof lastModified === 'string' && since !== undefined && Date.parse(lastModified) <= Date.parse(since)
