import { readHttpDate } from '../core/http-date.ts'

/** The version that a caller already has a part of, in `If-Match` and `If-Unmodified-Since`. */
interface Preconditions {
  readonly match: string | undefined
  readonly unmodifiedSince: string | undefined
}

/**
 * Whether the current version is another than the one that the caller has a part of, so that the response is 412: the
 * next part would belong to another file. Tags are compared strongly (RFC 9110, 13.1.1). If a tag is given, the date is
 * ignored; so is an invalid date (13.1.4).
 *
 * @example isOther({ match: '"a"', unmodifiedSince: undefined }, '"b"') // true
 */
export const isOther = (
  { match, unmodifiedSince }: Preconditions,
  etag: string,
  lastModified?: string | number,
): boolean =>
  match === undefined
    ? typeof lastModified === 'string' &&
      unmodifiedSince !== undefined &&
      Date.parse(lastModified) > (readHttpDate(unmodifiedSince) ?? Number.POSITIVE_INFINITY)
    : match.trim() !== '*' && !match.split(',', 64).some((tag) => tag.trim() === etag)

/** The version that a caller has in its cache, in `If-None-Match` and `If-Modified-Since`. */
interface Conditions {
  readonly noneMatch: string | null | undefined
  readonly modifiedSince?: string | undefined
}

/**
 * Whether the caller has the current version, so that the response is 304. A tag takes precedence over a date (RFC
 * 9110, 13.2.2) and is compared weakly (13.1.2), because a cache between us and the reader may have weakened it. A date
 * has to equal `Last-Modified` to the second: a later date can belong to another version, where an earlier build is
 * served again or another machine was built later.
 *
 * @example isUnchanged({ noneMatch: 'W/"a"' }, '"a"') // true
 */
export const isUnchanged = (
  { noneMatch, modifiedSince }: Conditions,
  etag: string,
  lastModified?: string | number,
): boolean =>
  typeof noneMatch === 'string'
    ? noneMatch.trim() === '*' || noneMatch.split(',', 64).some((tag) => tag.trim().replace(/^W\//, '') === etag)
    : typeof lastModified === 'string' &&
      modifiedSince !== undefined &&
      Date.parse(lastModified) === readHttpDate(modifiedSince)
