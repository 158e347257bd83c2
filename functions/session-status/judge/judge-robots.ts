import { nameOf } from '../read/body-kind.ts'
import { groupOf, isClosed, mayFetch, type RobotsGroup, readRobots } from '../read/read-robots.ts'
import { type Answered, presence, type Site } from '../read/seen.ts'
import { toPrintable } from '../read/to-printable.ts'
import { type Judgement, judge, judgeDocument, judgeType } from './checks.ts'

/** Well-known AI crawlers. A site that names any of them has made a decision about them. */
const aiCrawlers = [
  ...['gptbot', 'oai-searchbot', 'chatgpt-user', 'claudebot', 'claude-user', 'claude-searchbot', 'anthropic-ai'],
  ...['perplexitybot', 'perplexity-user', 'google-extended', 'applebot-extended', 'ccbot', 'bytespider', 'amazonbot'],
  ...['meta-externalagent', 'mistralai-user', 'cohere-ai', 'duckassistbot'],
]
/** Paths that are meant for crawlers. */
const forCrawlers = ['/', '/sitemap.xml', '/rss.xml', '/feed.json', '/llms.txt'] as const
/** Limits of user agents and paths that are compared, so that a large robots.txt takes little time. */
const [mostAgents, mostPaths] = [50, 5]

/** Judges robots.txt, with groups interpreted as in RFC 9309. */
export const judgeRobots = (site: Site): Judgement[] =>
  judgeDocument(site, '/robots.txt', 'robots-missing', (answer) => judgeRules(answer, site))

function judgeRules(answer: Answered, site: Site): Judgement[] {
  if (answer.kind !== 'text' && answer.kind !== 'empty')
    return [judge('robots-not-text', false, `The body is ${nameOf(answer)}, so crawlers find no rules in it.`)]
  const { groups, sitemaps, strays } = readRobots(answer.text)
  const everybody = groupOf(groups, '*')
  const isShut = isClosed(everybody)
  const named = aiCrawlers.filter((name) => groups.some(({ agents }) => agents.includes(name)))
  const hidden = forCrawlers.filter((path) => presence(site.get(path)) === 'there' && !mayFetch(everybody, path))
  const agents = [...new Set(groups.flatMap((group) => group.agents))].slice(0, mostAgents)
  const opposed = agents
    .map((agent) => groupOf(groups, agent))
    .filter((group) => isClosed(group) && group.signals.some(saysYes))
  const forgetful = findForgetful(groups, everybody)
  const signals = groups.flatMap((group) => group.signals)
  const lost = [
    ...strays.slice(0, 1).map((line) => `Line ${line} stands before the first User-agent and binds nobody.`),
    ...signals.filter(isMeaningless).map((signal) => `“${toPrintable(signal, 60)}” says neither yes nor no.`),
  ]
  return [
    judgeType('robots-not-text', answer, /^text\/plain/i),
    judge('robots-no-group', groups.length > 0, 'It has no User-agent line.'),
    judge('robots-blocks-all', !isShut, 'The group User-agent: * disallows / and allows nothing.'),
    judge('robots-hides', isShut || hidden.length === 0, `User-agent: * may not fetch ${hidden.join(', ')}.`),
    judge('robots-contradicts', opposed.length === 0, toContradiction(opposed[0])),
    judge('robots-forgets', forgetful.length === 0, forgetful[0] ?? ''),
    judge('robots-lost-lines', lost.length === 0, lost[0] ?? ''),
    judge('robots-no-sitemap', sitemaps.some(isAbsolute), 'It has no Sitemap line with a full address.'),
    judge('robots-no-ai-rules', named.length > 0, `None of ${aiCrawlers.length} well-known AI crawlers is named.`),
    judge(
      'robots-no-signals',
      signals.some((signal) => /(?:search|ai-input|ai-train)\s*=/i.test(signal)),
      'No group has a Content-Signal line.',
    ),
  ]
}

const saysYes = (signal: string): boolean => /(?:search|ai-input|ai-train)\s*=\s*yes\b/i.test(signal)

/** Whether a signal is not a list of `key=yes` and `key=no`. */
const isMeaningless = (signal: string): boolean =>
  !signal.split(',').every((part) => /^\s*[a-z][a-z-]{0,40}\s*=\s*(?:yes|no)\s*$/i.test(part))

function toContradiction(group?: RobotsGroup): string {
  const agent = toPrintable(group?.agents[0] ?? '', 40)
  const signal = toPrintable(group?.signals.find(saysYes) ?? '', 60)
  return `The group of ${agent} says “${signal}”, and disallows everything.`
}

/**
 * Agents whose own group allows a path that `User-agent: *` disallows, which is often an oversight: a crawler with a
 * group of its own ignores the one for everybody.
 */
function findForgetful(groups: readonly RobotsGroup[], everybody: RobotsGroup): string[] {
  const closed = everybody.rules.flatMap(({ isAllowed, path }) => (isAllowed || /^[/*]*$/.test(path) ? [] : [path]))
  const paths = closed.slice(0, mostPaths).map((path) => path.replace(/\$$/, '').replaceAll('*', 'x'))
  const own = groups.filter(({ agents }) => !agents.includes('*')).slice(0, mostAgents)
  return own.flatMap(({ agents: [agent = ''] }) => {
    const group = groupOf(groups, agent)
    const open = isClosed(group) ? undefined : paths.find((path) => !mayFetch(everybody, path) && mayFetch(group, path))
    if (open === undefined) return []
    return [`${toPrintable(agent, 40)} has a group of its own, and may fetch ${toPrintable(open, 60)} by it.`]
  })
}

const isAbsolute = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url)
