/** An opening tag as our renderers write it: attribute values stand in double quotes and text never has a bare `<`. */
const openingTag = /<[a-z][^\s/>]*(?:\s+[^\s=>/]+(?:="[^"]*")?)*\s*\/?>/
/** Whole elements that mean nothing, or harm, outside the page they were made for. */
const pageOnly = /<(?<name>script|style|template|form|button|noscript)\b(?:[^>"]|"[^"]*")*>[\s\S]*?<\/\k<name>\s*>/
/** From the beginning, so that what an attribute says of an element is none. */
const elements = new RegExp(`(?<pageOnly>${pageOnly.source})|${openingTag.source}`, 'gi')
const address = /(\s(?:href|src|poster)=")([^"]*)(?=")/gi
const addressList = /(\ssrcset=")([^"]*)(?=")/gi

function toAbsolute(reference: string, pageUrl: string): string {
  const url = URL.parse(reference.replaceAll('&amp;', '&').replaceAll('&#38;', '&'), pageUrl)
  return url ? url.href.replaceAll('&', '&amp;').replaceAll('"', '%22') : reference
}

const toAbsoluteList = (list: string, pageUrl: string): string =>
  list
    .split(/,\s+/)
    .map((candidate) => candidate.trim().replace(/^\S+/, (reference) => toAbsolute(reference, pageUrl)))
    .join(', ')

/**
 * A rendered post for readers elsewhere: every address absolute, because feed readers disagree about what a relative
 * one is relative to, and without what only works on the page.
 */
export const toFeedHtml = (html: string, pageUrl: string): string =>
  html
    .replace(elements, (tag: string, only: string | undefined) =>
      only === undefined
        ? tag
            .replace(address, (_, before: string, value: string) => before + toAbsolute(value, pageUrl))
            .replace(addressList, (_, before: string, value: string) => before + toAbsoluteList(value, pageUrl))
        : '',
    )
    .trim()
