import type { Diagnosis } from '../diagnosis-schema.ts'
import { type CheckId, checks, type Judgement } from '../judge/checks.ts'

/** Of 100, while a stranger can get in. */
const mostWhileExposed = 40

/**
 * Points of what is good, out of the points of everything that every site should have and of what this one has besides.
 * What could not be looked at because something is missing gives no points.
 */
export function toScore(judgements: readonly Judgement[]): Pick<Diagnosis['summary'], 'score' | 'areas' | 'limit'> {
  const good = new Map<string, boolean>(judgements.map(({ id, isGood }) => [id, isGood]))
  const counted = Object.entries(checks).filter(([id, { isOptional }]) => !isOptional || good.has(id))
  const sum = (some: typeof counted) => some.reduce((total, [, { points }]) => total + points, 0)
  const earnedOf = (some: typeof counted) => sum(some.filter(([id]) => good.get(id)))
  const areas = [...new Set(counted.map(([, { area }]) => area))].map((area) => {
    const its = counted.filter(([, check]) => check.area === area)
    return { area, points: earnedOf(its), of: sum(its) }
  })
  const earned = Math.round((100 * earnedOf(counted)) / sum(counted))
  const isExposed = good.get('admin-exposed') === false || good.get('mcp-open') === false
  if (!isExposed || earned <= mostWhileExposed) return { score: earned, areas, limit: null }
  return {
    score: mostWhileExposed,
    areas,
    limit: `${earned} by its points, and at most ${mostWhileExposed} while something opens without a login`,
  }
}

/** Each needs all of the ones before. */
const levels = ['cannot be read', 'can be read', 'can be crawled', 'can be followed', 'can be understood', 'is ready']

/** How far an agent gets, in words that continue “The site …”. */
export function toLevel(judgements: readonly Judgement[]): { level: number; levelName: string } {
  const good = new Map(judgements.map(({ id, isGood }) => [id, isGood]))
  const is = (...needed: readonly CheckId[]) => needed.every((id) => good.get(id))
  const steps = [
    is('front-fails'),
    is('robots-missing', 'robots-blocks-all', 'sitemap-broken', 'front-noindex'),
    is('front-no-title', 'front-no-description') && (is('rss-broken') || is('json-feed-broken')),
    is('llms-missing', 'llms-no-heading', 'llms-no-links', 'soft-404'),
    is('robots-no-ai-rules', 'admin-exposed', 'mcp-open') && (is('front-no-link-header') || is('front-no-markdown')),
  ]
  const failed = steps.indexOf(false)
  const level = failed === -1 ? steps.length : failed
  return { level, levelName: levels[level] ?? '' }
}
