import { type AdviceId, adviceTable } from './advice.ts'
import { type CheckId, checks, type Judgement, type Severity } from './checks.ts'
import { describeSurface, type Surface } from './describe-surface.ts'
import { type Cms, findCms } from './find-cms.ts'
import { judgeAccess, type Session, toSession } from './judge-access.ts'
import { judgeCrawling } from './judge-crawling.ts'
import { judgeDelivery } from './judge-delivery.ts'
import { judgeFeeds } from './judge-feeds.ts'
import { judgeFrontPage } from './judge-front.ts'
import { judgeSelling } from './judge-selling.ts'
import { judgeTexts } from './judge-texts.ts'
import { toPrintable } from './printable.ts'
import { type Probe, type Seen, type Site, toSite } from './seen.ts'
import type { SurfacePath } from './surface-paths.ts'
import { type Score, toLevel, toScore } from './to-score.ts'

/** What was seen, so that a finding can be checked by hand. */
export interface Evidence {
  readonly request: string
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly bodyPreview: string
}

export interface Finding {
  readonly id: CheckId
  readonly severity: Severity
  readonly surface: SurfacePath
  readonly title: string
  readonly detail: string
  readonly evidence: Evidence
}

export interface Recommendation {
  readonly id: AdviceId
  /** 1 comes first. */
  readonly priority: number
  readonly title: string
  readonly fix: string
  /** Findings that it mends. */
  readonly findings: readonly CheckId[]
  readonly specUrls: readonly string[]
  readonly skillUrl?: string
}

export interface Diagnosis {
  readonly siteUrl: string
  readonly probedAt: string
  readonly summary: Score & {
    readonly text: string
    /** Of the twelve paths. */
    readonly reachable: number
    readonly ok: number
    readonly level: number
    readonly levelName: string
    readonly cms: Cms
    readonly session: Session
  }
  readonly surfaces: readonly Surface[]
  readonly findings: readonly Finding[]
  readonly recommendations: readonly Recommendation[]
}

export interface DiagnosisRequest {
  /** As it was sent. */
  readonly siteUrl: string
  readonly probedAt: Date
  readonly probes: readonly Probe[]
  /** Where skills are described, by slug. */
  readonly skillUrls: ReadonlyMap<string, string>
}

/** What twelve answers say about a site. The same answers always give the same report. */
export function diagnose({ siteUrl, probedAt, probes, skillUrls }: DiagnosisRequest): Diagnosis {
  const site = toSite(probes)
  const judgements = judgeAll(site)
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

const judgeAll = (site: Site): Judgement[] => {
  const delivery = judgeDelivery(site)
  // Of a site that is down there is nothing more to say.
  if (site.all.every(({ is }) => is === 'silent')) return delivery
  return [
    ...delivery,
    ...judgeFrontPage(site),
    ...judgeCrawling(site),
    ...judgeFeeds(site),
    ...judgeTexts(site),
    ...judgeSelling(site),
    ...judgeAccess(site),
  ]
}

function toFinding({ id, detail, surface = checks[id].surface }: Judgement, site: Site): Finding {
  const { severity, title } = checks[id]
  return { id, severity, surface, title, detail, evidence: toEvidence(site.get(surface)) }
}

const tellingHeaders = [
  ...['content-type', 'content-encoding', 'cache-control', 'etag', 'last-modified', 'vary', 'link', 'location'],
  ...['strict-transport-security', 'x-robots-tag', 'www-authenticate', 'payment-required', 'retry-after', 'server'],
]

function toEvidence(seen: Seen): Evidence {
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

function toRecommendations(
  findings: readonly Finding[],
  skillUrls: ReadonlyMap<string, string>,
): readonly Recommendation[] {
  const order = Object.keys(adviceTable)
  const ids = [...new Set(findings.map(({ id }) => checks[id].advice))]
  const urgency = (id: AdviceId) =>
    Math.max(...findings.filter((one) => checks[one.id].advice === id).map((one) => severities.indexOf(one.severity)))
  return ids
    .sort((one, other) => urgency(other) - urgency(one) || order.indexOf(one) - order.indexOf(other))
    .map((id, at) => {
      const { title, fix, specUrls, skill } = { skill: undefined, ...adviceTable[id] }
      const skillUrl = skill === undefined ? undefined : skillUrls.get(skill)
      const mended = findings.filter((one) => checks[one.id].advice === id).map((one) => one.id)
      return {
        id,
        priority: at + 1,
        title,
        fix,
        findings: mended,
        specUrls,
        ...(skillUrl !== undefined && { skillUrl }),
      }
    })
}
