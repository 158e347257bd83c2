import type { Diagnosis } from '../diagnosis-schema.ts'
import { type AdviceId, adviceTable } from '../judge/advice-table.ts'
import { type CheckId, checks, type Judgement, type Severity } from '../judge/checks.ts'
import { judgeAccess, toSession } from '../judge/judge-access.ts'
import { judgeDelivery } from '../judge/judge-delivery.ts'
import { judgeFeeds } from '../judge/judge-feeds.ts'
import { judgeFrontPage } from '../judge/judge-front-page.ts'
import { judgeRobots } from '../judge/judge-robots.ts'
import { judgeSelling } from '../judge/judge-selling.ts'
import { judgeSitemap } from '../judge/judge-sitemap.ts'
import { judgeTexts } from '../judge/judge-texts.ts'
import type { Probe } from '../probe/probe-site.ts'
import { findCms } from '../read/find-cms.ts'
import { type Seen, type Site, toSite } from '../read/seen.ts'
import { toPrintable } from '../read/to-printable.ts'
import { describeSurface } from './describe-surface.ts'

interface DiagnosisRequest {
  /** The address as the buyer sent it. */
  readonly siteUrl: string
  readonly probedAt: Date
  readonly probes: readonly Probe[]
  /** The page of each skill, by slug. */
  readonly skillUrls: ReadonlyMap<string, string>
}

/** Makes the report from the responses of the twelve paths. The same responses always give the same report. */
export function diagnose({ siteUrl, probedAt, probes, skillUrls }: DiagnosisRequest): Diagnosis {
  const site = toSite(probes)
  const judgements = judgeAll(site, probedAt)
  const surfaces = site.all.map((seen) => describeSurface(seen, judgements))
  const findings = judgements
    .filter(({ isGood }) => !isGood)
    .map((judgement) => toFinding(judgement, site))
    .sort((one, other) => severities.indexOf(other.severity) - severities.indexOf(one.severity))
  const recommendations = toRecommendations(findings, skillUrls)
  const score = toScore(judgements)
  const level = toLevel(judgements)
  const ok = surfaces.filter((surface) => surface.ok).length
  const [first] = recommendations
  const text = [
    `${new URL(siteUrl).hostname} ${level.levelName}: ${ok} of ${surfaces.length} paths are as they should be, ${score.score} of 100 points, level ${level.level} of 5.`,
    ...(first ? [`First: ${first.title}.`] : ['There is nothing to mend.']),
  ].join(' ')
  const summary = {
    text,
    reachable: surfaces.filter(({ status }) => status !== null).length,
    ok,
    ...score,
    ...level,
    cms: findCms(site),
    session: toSession(site),
  }
  return { siteUrl, probedAt: probedAt.toISOString(), summary, surfaces, findings, recommendations }
}

const severities: readonly Severity[] = ['info', 'low', 'medium', 'high']

const judgeAll = (site: Site, now: Date): Judgement[] => {
  const delivery = judgeDelivery(site)
  // Nothing else can be judged of a site that is down.
  if (site.all.every(({ is }) => is === 'silent')) return delivery
  return [
    ...delivery,
    ...judgeFrontPage(site),
    ...judgeRobots(site),
    ...judgeSitemap(site, now),
    ...judgeFeeds(site, now),
    ...judgeTexts(site),
    ...judgeSelling(site),
    ...judgeAccess(site),
  ]
}

type Finding = ReturnType<typeof toFinding>

function toFinding({ id, detail, surface = checks[id].surface }: Judgement, site: Site) {
  const { severity, title } = checks[id]
  return { id, severity, surface, title, detail, evidence: toEvidence(site.get(surface)) }
}

const tellingHeaders = [
  ...['content-type', 'content-encoding', 'cache-control', 'etag', 'last-modified', 'vary', 'link', 'location'],
  ...['strict-transport-security', 'x-robots-tag', 'www-authenticate', 'payment-required', 'retry-after', 'server'],
]

/** The request and response behind a finding, so that it can be checked by hand. */
function toEvidence(seen: Seen): Diagnosis['findings'][number]['evidence'] {
  const request = `GET ${seen.url}`
  if (seen.is === 'silent') return { request, status: null, headers: {}, bodyPreview: '' }
  const { headers, status } = seen.fetched
  const told = tellingHeaders.flatMap((name) => {
    const value = headers.get(name)
    return value === undefined ? [] : [[name, toPrintable(value)] as const]
  })
  const bodyPreview = seen.kind === 'binary' ? '' : toPrintable(seen.text)
  return { request, status, headers: Object.fromEntries(told), bodyPreview }
}

function toRecommendations(findings: readonly Finding[], skillUrls: ReadonlyMap<string, string>) {
  const order = Object.keys(adviceTable)
  const ids = [...new Set(findings.map(({ id }) => checks[id].advice))]
  const urgency = (id: AdviceId) =>
    Math.max(...findings.filter((one) => checks[one.id].advice === id).map((one) => severities.indexOf(one.severity)))
  return ids
    .sort((one, other) => urgency(other) - urgency(one) || order.indexOf(one) - order.indexOf(other))
    .map((id, at) => {
      const { title, file, fix, specUrls, skill } = { skill: undefined, ...adviceTable[id] }
      const skillUrl = skill === undefined ? undefined : skillUrls.get(skill)
      const mended = findings.filter((one) => checks[one.id].advice === id).map((one) => one.id)
      return {
        id,
        priority: at + 1,
        title,
        file,
        fix,
        findings: mended,
        specUrls: [...specUrls],
        ...(skillUrl !== undefined && { skillUrl }),
      }
    })
}

/** Highest score while the site opens without a login or its front page cannot be read. */
const mostWhileGrave = 40

/**
 * The score: the points of the passed checks as a share (0 to 100) of the points of all checks that count. Optional
 * checks count only if they have a result; other checks without a result earn nothing.
 */
function toScore(judgements: readonly Judgement[]): Pick<Diagnosis['summary'], 'score' | 'areas' | 'limit'> {
  const good = new Map<string, boolean>(judgements.map(({ id, isGood }) => [id, isGood]))
  const counted = Object.entries(checks).filter(([id, { isOptional }]) => !isOptional || good.has(id))
  const sum = (some: typeof counted) => some.reduce((total, [, { points }]) => total + points, 0)
  const earnedOf = (some: typeof counted) => sum(some.filter(([id]) => good.get(id)))
  const areas = [...new Set(counted.map(([, { area }]) => area))].map((area) => {
    const its = counted.filter(([, check]) => check.area === area)
    return { area, points: earnedOf(its), of: sum(its) }
  })
  const earned = Math.round((100 * earnedOf(counted)) / sum(counted))
  const failed = (...ids: readonly CheckId[]) => ids.some((id) => good.get(id) === false)
  const why = failed('admin-exposed', 'mcp-open')
    ? 'something opens without a login'
    : failed('front-missing', 'front-fails')
      ? 'there is no front page to read'
      : undefined
  if (why === undefined || earned <= mostWhileGrave) return { score: earned, areas, limit: null }
  const limit = `${earned} by its points, and at most ${mostWhileGrave} while ${why}`
  return { score: mostWhileGrave, areas, limit }
}

/** Names of the levels 0 to 5; each level requires all lower ones. */
const levels = ['cannot be read', 'can be read', 'can be crawled', 'can be followed', 'can be understood', 'is ready']

/** How far an agent gets, in words that continue “The site …”. */
function toLevel(judgements: readonly Judgement[]): { level: number; levelName: string } {
  const good = new Map(judgements.map(({ id, isGood }) => [id, isGood]))
  const is = (...needed: readonly CheckId[]) => needed.every((id) => good.get(id))
  const steps = [
    is('front-missing', 'front-fails'),
    is('robots-missing', 'robots-blocks-all', 'sitemap-broken', 'front-noindex'),
    is('front-no-title', 'front-no-description') && (is('rss-broken') || is('json-feed-broken')),
    is('llms-missing', 'llms-no-heading', 'llms-no-links', 'soft-404'),
    is('robots-no-ai-rules', 'admin-exposed', 'mcp-open') && (is('front-no-link-header') || is('front-no-markdown')),
  ]
  const failed = steps.indexOf(false)
  const level = failed === -1 ? steps.length : failed
  return { level, levelName: levels[level] ?? '' }
}
