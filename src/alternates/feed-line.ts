import { feedForms } from '../feeds/feed-forms.ts'

/** The feeds of a page that lists posts, in a line of markdown. */
export const toFeedLine = (path: string): string =>
  `Follow: ${feedForms.map(({ file, name }) => `[${name}](${encodeURI(path)}/${file})`).join(', ')}`
