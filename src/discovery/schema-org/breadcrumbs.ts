/** The lists that pages belong to. */
const sections: Readonly<Record<string, string>> = {
  posts: 'Posts',
  tags: 'Tags',
  skills: 'Skills',
  apis: 'APIs',
  problems: 'Errors',
  agents: 'For agents',
}

/**
 * Where a page stands, for search engines (schema.org BreadcrumbList). Undefined for the front page and for the
 * pages directly under it, whose address says it already.
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
