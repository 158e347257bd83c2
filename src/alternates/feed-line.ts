import { toFeedLinks } from '../feeds/feed-forms.ts'

/** The feeds of a page that lists posts, in a line of markdown. */
export const toFeedLine = (path: string): string =>
  `Follow: ${toFeedLinks(encodeURI(path))
    .map(({ href, name }) => `[${name}](${href})`)
    .join(', ')}`
