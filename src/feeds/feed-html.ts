import { alignCells } from '../core/align-cells.ts'

/** An opening tag as our renderers write it: attribute values stand in double quotes and text never has a bare `<`. */
const openingTag = /<[a-z][^\s/>]*(?:\s+[^\s=>/]+(?:="[^"]*")?)*\s*\/?>/
/** Whole elements that mean nothing, or harm, outside the page they were made for. */
const pageOnly = /<(?<name>script|style|template|form|button|noscript)\b(?:[^>"]|"[^"]*")*>[\s\S]*?<\/\k<name>\s*>/
/** From the beginning, so that what an attribute says of an element is none. */
const elements = new RegExp(`(?<pageOnly>${pageOnly.source})|${openingTag.source}`, 'gi')
const address = /(\s(?:href|src|poster)=")([^"]*)(?=")/gi
const addressList = /(\ssrcset=")([^"]*)(?=")/gi
/** An address of `srcset`, which goes on to the next space and ends with no comma; what is said of its size may. */
const listed = /(^|,)(\s*)([^\s,](?:\S*[^\s,])?)/g

/** The two signs that renderers write otherwise in an attribute. */
const toPlain = (value: string): string => value.replace(/&(?:quot|#34);/g, '"').replace(/&(?:amp|#38);/g, '&')

function toAbsolute(reference: string, pageUrl: string): string {
  const url = URL.parse(toPlain(reference), pageUrl)
  return url ? url.href.replaceAll('&', '&amp;').replaceAll('"', '%22') : reference
}

const toAbsoluteList = (list: string, pageUrl: string): string =>
  list.replace(
    listed,
    (_, comma: string, space: string, reference: string) => comma + space + toAbsolute(reference, pageUrl),
  )

/**
 * A rendered post for readers elsewhere: every address absolute, because feed readers disagree about what a relative
 * one is relative to, and without what only works on the page.
 */
export const toFeedHtml = (html: string, pageUrl: string): string =>
  alignCells(html, 'align')
    .replace(elements, (tag: string, only: string | undefined) =>
      only === undefined
        ? tag
            .replace(address, (_, before: string, value: string) => before + toAbsolute(value, pageUrl))
            .replace(addressList, (_, before: string, value: string) => before + toAbsoluteList(value, pageUrl))
        : '',
    )
    .trim()
