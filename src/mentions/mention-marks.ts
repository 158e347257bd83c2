import { html, toMarkup } from '../core/html.ts'
import type { ShownMention } from './open-shown-mentions.ts'

/** Where a built page has room for the mentions of later, which the running server writes there. */
export const mentionsMark = '<!--mentions-->'

/** A page shows so many, the newest of them. */
const mostOnPage = 100

/** What a page shows: who and where, as text with a link that vouches for nothing. Empty where there is nothing. */
function toMentionsHtml(mentions: readonly ShownMention[]): string {
  if (mentions.length === 0) return ''
  return toMarkup(html`<section class="mentions" data-pagefind-ignore aria-label="Mentions">
<h2>Mentioned elsewhere</h2>
<ul>${mentions.slice(-mostOnPage).map(
    ({ source, host, author }) =>
      html`<li><a href="${source}" rel="nofollow ugc">${author ?? host}</a>${author !== null && html` <span class="fine">${host}</span>`}</li>
`,
  )}</ul>
</section>`)
}

/** The page with its mentions, or without its mark where there are none. */
export const fillMentions = (page: string, mentions: readonly ShownMention[]): string =>
  page.replace(mentionsMark, () => toMentionsHtml(mentions))
