import type { Boilerplate } from './page.ts'
import type { Attributes } from './read-tokens.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Elements and roles that are never the main part of a page by what they are. */
const boilerplateElements = words('footer header nav search')
const boilerplateRoles = words(
  'alertdialog banner complementary contentinfo dialog menu menubar navigation search toolbar tooltip',
)

/** Single words that authors use in the class or id of the parts around their text. */
const boilerplateWords = words(
  'addthis ad ads adsbygoogle adsense advert advertisement advertising adverts announcement breadcrumb breadcrumbs byline-share catlinks ccpa comments consent cookie cookiebar cookies disqus editsection feedback footer gdpr gutter headerlink jumplink lineno linenos masthead modal nav navbar navbox navigation newsletter noprint onetrust outbrain overlay pagenav pager pagination popular popup postprofile prevnext printfooter promo promos promoted recirc recommendation recommendations recommended related reply respond share sharebar sharedaddy sharing sidebar signup skiplink social socials sponsor sponsored subscribe subscription taboola tagcloud teaser-list toast toc topbar trending upsell userinfo',
)

/** The same for two consecutive words. */
const boilerplatePairs = words(
  'action-bar author-bio author-box back-top edit-link edit-page edit-this error-message heading-anchor language-picker language-selector language-switcher line-number line-numbers login-form page-footer page-header page-navigation post-footer post-nav post-navigation read-next reader-text screen-reader search-form site-banner site-footer site-header skip-link skip-to skip-nav sr-only tag-list tags-list top-bar visually-hidden',
)

/** Characters of a class or id that are read. Longer ones are generated. */
const longestName = 300

/** Whether a class or an id names a part that is not the text of a page, such as a menu or an advertisement. */
export function isBoilerplateName(name: string): boolean {
  if (name === '') return false
  let before = ''
  for (const [word] of name.slice(0, longestName).matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\s/g)) {
    const lower = word.toLowerCase()
    if (boilerplateWords.has(lower) || boilerplatePairs.has(`${before}-${lower}`)) return true
    before = lower
  }
  return false
}

/** Elements that may span the whole page. Their names do not count, because themes put all kinds of words into them. */
const wholeElements = words('article body html main table tbody td th tr')

/**
 * Why an element may be boilerplate; undefined for the others. It is only a suspicion: `findMain` drops it when the
 * element turns out to hold the main part.
 */
export function findBoilerplate(element: string, attributes: Attributes, isInText: boolean): Boilerplate | undefined {
  const { class: className = '', id = '', role = '' } = attributes
  if (element === 'noscript') return 'fallback'
  if (element === 'form') return 'form'
  // A header inside an article holds its heading; a footer there still holds tags and buttons.
  if (boilerplateElements.has(element) && !(isInText && element === 'header')) return 'element'
  if (boilerplateRoles.has(role) && !(isInText && role === 'banner')) return 'element'
  if (attributes['aria-modal'] === 'true') return 'element'
  if (!wholeElements.has(element) && (isBoilerplateName(className) || isBoilerplateName(id))) return 'name'
  return element === 'aside' ? (isInText ? 'aside' : 'element') : undefined
}

/** Whether the attributes of an element hide it. Style sheets are not read. */
export function isHidden(element: string, attributes: Attributes): boolean {
  if (element === 'body' || element === 'html' || element === 'main' || element === 'article') return false
  const { hidden, style, 'aria-hidden': ariaHidden } = attributes
  if (ariaHidden === 'true') return true
  if (hidden !== undefined && hidden !== 'until-found') return true
  return style !== undefined && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style)
}

/** Whether an element of a code listing holds line numbers. */
export const isLineNumber = ({ class: className = '' }: Attributes): boolean =>
  /\b(?:lineno|linenos|line-numbers?-rows|line-number|ln-num)\b/.test(className.slice(0, longestName))
