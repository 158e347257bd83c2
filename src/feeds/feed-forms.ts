/** The formats of every feed: the last part of its address, its media type, and its name for people. */
export const feedForms = [
  { file: 'rss.xml', type: 'application/rss+xml', name: 'RSS' },
  { file: 'atom.xml', type: 'application/atom+xml', name: 'Atom' },
  { file: 'feed.json', type: 'application/feed+json', name: 'JSON Feed' },
] as const

/** The last part of the address of a feed. */
export type FeedFile = (typeof feedForms)[number]['file']

/** Links to the feeds of the page at a path, which lists posts. */
export const toFeedLinks = (path: string) => feedForms.map(({ file, name }) => ({ href: `${path}/${file}`, name }))
