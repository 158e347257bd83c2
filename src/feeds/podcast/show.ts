import site from '../../../site.config.ts'
import { readContact } from '../../core/contact.ts'
import type { Show } from './podcast-feed.ts'
import { toPodcastGuid } from './podcast-guid.ts'

/** The metadata of the site as a podcast. `artworkPath` is the path of the show's picture. */
export const toShow = (baseUrl: string, artworkPath: string): Show => ({
  title: site.name,
  description: site.description,
  baseUrl,
  author: site.author,
  language: site.language,
  guid: site.podcast.guid || toPodcastGuid(`${baseUrl}/podcast.xml`),
  category: site.podcast.category,
  explicit: site.podcast.explicit,
  email: toEmail(site.contact),
  funding: { url: `${baseUrl}/#shop`, text: site.podcast.funding },
  artworkUrl: baseUrl + artworkPath,
})

/** The contact if it is an e-mail address, because directories know owners only by e-mail; otherwise empty. */
function toEmail(contact: string): string {
  const named = readContact(contact)
  return named?.is === 'email' ? named.email : ''
}
