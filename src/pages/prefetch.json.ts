import { prerendered } from '../endpoints/served.ts'

/**
 * The links that browsers may prefetch when the pointer is over them (speculation rules): pages only, no paid addresses
 * and no files.
 */
const rules = {
  prefetch: [
    {
      where: {
        and: [
          {
            href_matches: [
              '/',
              '/posts',
              '/posts/*',
              '/tags',
              '/tags/*',
              '/series/*',
              '/authors/*',
              '/podcast',
              '/skills',
              '/apis',
              '/about',
            ],
          },
          { not: { href_matches: '/*.*' } },
        ],
      },
      eagerness: 'moderate',
    },
  ],
}

export const GET = () => prerendered('/prefetch.json', rules, { 'content-type': 'application/speculationrules+json' })
