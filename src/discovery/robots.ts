import { toUserAgentLines, type Wish } from '../content/crawler-wishes.ts'
import type { Crawler } from '../content/crawlers-schema.ts'

/** What the publisher allows crawlers to do (see `site.config.ts`). */
export interface CrawlerPolicy {
  readonly allowSearch: boolean
  readonly blockTraining: boolean
}

const headings: Readonly<Record<Wish, string>> = {
  search: 'Search engines for people and models',
  training: 'Collecting for models and data sets',
  reading: 'Fetching a page because somebody asked for it',
}

type Signals = readonly (readonly [key: string, isAllowed: boolean])[]
const toSignal = (signals: Signals): string =>
  `Content-Signal: ${signals.map(([key, isAllowed]) => `${key}=${isAllowed ? 'yes' : 'no'}`).join(', ')}`

/**
 * `/robots.txt` (RFC 9309) with Content Signals. Groups do not inherit, so each repeats the signals; a group that is
 * disallowed gets only the negative ones. Paid addresses are not disallowed: they answer 402 with a price, which is
 * what a buying agent looks for.
 */
export function toRobots(crawlers: readonly Crawler[], policy: CrawlerPolicy, origin: string): string {
  const isAllowed: Readonly<Record<Wish, boolean>> = {
    search: policy.allowSearch,
    training: !policy.blockTraining,
    reading: true,
  }
  const signals: Signals = [
    ['search', isAllowed.search],
    ['ai-input', true],
    ['ai-train', isAllowed.training],
  ]
  const signal = toSignal(signals)
  const refusal = toSignal(signals.filter(([, isYes]) => !isYes))
  const toGroup = (wish: Wish): string[] => {
    const lines = toUserAgentLines(crawlers, wish)
    if (lines.length === 0) return []
    const rule = isAllowed[wish] ? [signal, 'Allow: /'] : [refusal, 'Disallow: /']
    return [`# ${headings[wish]}`, ...lines, ...rule, '']
  }
  return [
    '# Everyone may read. Everything for programs is listed in /llms.txt.',
    'User-agent: *',
    signal,
    'Allow: /',
    '',
    ...toGroup('reading'),
    ...toGroup('search'),
    ...toGroup('training'),
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
}
