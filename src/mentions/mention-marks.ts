import { html, toMarkup } from '../core/html.ts'
import type { ShownMention } from './open-shown-mentions.ts'

/** Placeholder in built pages that the running server replaces with the mentions. */
export const mentionsMark = '<!--mentions-->'

/** A page shows at most this many mentions, the newest ones. */
const mostOnPage = 100

/** The mentions as HTML: author and host as text, with a `nofollow` link. Empty when there are none. */
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

/** Replaces the placeholder of a page with its mentions, or removes it when there are none. */
export const fillMentions = (page: string, mentions: readonly ShownMention[]): string =>
  page.replace(mentionsMark, () => toMentionsHtml(mentions))
