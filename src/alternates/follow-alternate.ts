import type { Alternate } from '../core/alternate.ts'
import { toSections } from '../core/markdown.ts'
import type { NewsletterForm } from '../newsletter/newsletter-form.ts'

/** One sentence about the ways to follow new posts. */
export const toFollowLead = (newsletter: NewsletterForm | undefined): string =>
  newsletter
    ? 'New posts by e-mail, in a feed reader, or as a podcast.'
    : 'New posts in a feed reader, or as a podcast.'

/** The page for followers as markdown. It is made per request, because the newsletter is a setting of the server. */
export const toFollowAlternate = (newsletter: NewsletterForm | undefined, baseUrl: string): Alternate => ({
  path: '/follow',
  title: 'Follow',
  summary: toFollowLead(newsletter),
  body: toSections(
    newsletter &&
      `## By e-mail\n\nEach new post, and nothing else. Every e-mail has a link to unsubscribe, which deletes your address. The form of the page sends \`${newsletter.field}\`, your address, to <${new URL(newsletter.action, baseUrl).href}>.`,
    `## In a feed reader\n\n[RSS](${baseUrl}/rss.xml), [Atom](${baseUrl}/atom.xml), [JSON Feed](${baseUrl}/feed.json)`,
    `## By ear\n\nGive a podcast app this address: <${baseUrl}/podcast.xml>`,
  ),
})
