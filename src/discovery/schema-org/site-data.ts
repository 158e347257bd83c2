import site from '../../../site.config.ts'
import type { Shop } from '../../config/shop.ts'

/** The site for search engines (schema.org), with its own search. */
export const toSiteData = ({ baseUrl }: Pick<Shop, 'baseUrl'>) => ({
  '@type': 'WebSite',
  name: site.name,
  description: site.description,
  url: `${baseUrl}/`,
  inLanguage: site.language,
  publisher: { '@type': 'Organization', name: site.name, url: `${baseUrl}/` },
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${baseUrl}/search?q={search_term_string}` },
    'query-input': 'required name=search_term_string',
  },
})
