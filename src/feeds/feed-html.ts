import { alignCells } from '../core/align-cells.ts'

/** An opening tag as our renderers write it: attribute values are in double quotes and text never has a bare `<`. */
const openingTag = /<[a-z][^\s/>]*(?:\s+[^\s=>/]+(?:="[^"]*")?)*\s*\/?>/
/** Whole elements that are useless or harmful outside the page that they were made for. */
const pageOnly = /<(?<name>script|style|template|form|button|noscript)\b(?:[^>"]|"[^"]*")*>[\s\S]*?<\/\k<name>\s*>/
/** Matches from the start of the text, tag by tag, so that markup inside an attribute value is not taken for a tag. */
const elements = new RegExp(`(?<pageOnly>${pageOnly.source})|${openingTag.source}`, 'gi')
const address = /(\s(?:href|src|poster)=")([^"]*)(?=")/gi
const addressList = /(\ssrcset=")([^"]*)(?=")/gi
/** An address in `srcset`: it extends to the next space and does not end with a comma; its size descriptor may. */
const listed = /(^|,)(\s*)([^\s,](?:\S*[^\s,])?)/g

/** Decodes the two characters that renderers escape in attribute values. */
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
 * The HTML of a post for use outside the site: all addresses are absolute, because feed readers resolve relative ones
 * differently, and elements that work only on the page are removed.
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
