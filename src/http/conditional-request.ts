import { readHttpDate } from '../core/http-date.ts'

/** Of which version a caller wants more, in `If-Match` and `If-Unmodified-Since`. */
interface Preconditions {
  readonly match: string | undefined
  readonly unmodifiedSince: string | undefined
}

/**
 * Whether what is here is not what the caller has a part of, so that 412 is the answer: the next part would be of
 * another file. Tags are compared strongly (RFC 9110, 13.1.1), and where one is named no date counts, nor does what is no
 * date (13.1.4).
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

/** What a caller says that it has, in `If-None-Match` and `If-Modified-Since`. */
interface Conditions {
  readonly noneMatch: string | null | undefined
  readonly modifiedSince?: string | undefined
}

/**
 * Whether the caller has what is here, so that 304 is the answer. A tag, where one is named, is the better witness
 * (RFC 9110, 13.2.2), and compared weakly (13.1.2): a cache between us and the reader may have weakened it. A date has to
 * be that of what is here, to the second: a later one is of another version where a build of before is served again, or
 * where another machine was built later.
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
