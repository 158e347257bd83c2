/** Names of the sections that pages belong to, by the first part of their path. */
const sections: Readonly<Record<string, string>> = {
  posts: 'Posts',
  tags: 'Tags',
  skills: 'Skills',
  apis: 'APIs',
  problems: 'Errors',
  agents: 'For agents',
}

/**
 * The breadcrumbs of a page for search engines (schema.org BreadcrumbList). Undefined for the front page and for pages
 * directly below it, which need none.
 */
export function toBreadcrumbs(path: string, title: string, baseUrl: string) {
  const [, section = '', ...below] = path.split('/')
  const name = sections[section]
  if (name === undefined || below.length === 0) return undefined
  const steps = [
    { name, item: `${baseUrl}/${section}` },
    { name: title, item: encodeURI(baseUrl + path) },
  ]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, place) => ({ '@type': 'ListItem', position: place + 1, ...step })),
  }
}
