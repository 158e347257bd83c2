import { prerendered } from '../endpoints/served.ts'

/**
 * Which links browsers may follow before they are pressed, once somebody points at them (speculation rules): pages to
 * read. No address that asks for money, and no file.
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
