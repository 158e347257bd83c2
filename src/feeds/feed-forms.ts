/** The forms in which every feed comes: the name that ends its address, and what it is for programs and people. */
export const feedForms = [
  { file: 'rss.xml', type: 'application/rss+xml', name: 'RSS' },
  { file: 'atom.xml', type: 'application/atom+xml', name: 'Atom' },
  { file: 'feed.json', type: 'application/feed+json', name: 'JSON Feed' },
] as const

/** The name that ends the address of a feed. */
export type FeedFile = (typeof feedForms)[number]['file']

/** The feeds of a page that lists posts, by its path. */
export const toFeedLinks = (path: string) => feedForms.map(({ file, name }) => ({ href: `${path}/${file}`, name }))
