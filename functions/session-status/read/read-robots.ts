const maxLines = 20_000

export interface RobotsRule {
  readonly isAllowed: boolean
  /** A path prefix, in which `*` stands for any characters and `$` for the end. */
  readonly path: string
}

/** A group of rules with the agents it is for; agents are in lower case. */
export interface RobotsGroup {
  readonly agents: string[]
  readonly rules: RobotsRule[]
  /** Values of `Content-Signal`. */
  readonly signals: string[]
}

/** Keys that belong to a group; before the first `User-agent` line they have no effect. */
const ofGroups: ReadonlySet<string> = new Set(['allow', 'disallow', 'content-signal'])

/**
 * Reads robots.txt (RFC 9309): consecutive `User-agent` lines share the rules after them, and only a rule ends the list
 * of agents.
 */
export function readRobots(text: string) {
  const groups: RobotsGroup[] = []
  const sitemaps: string[] = []
  /** Numbers of the lines with rules before the first group. */
  const strays: number[] = []
  let namesFollow = false
  for (const [at, line] of text.split(/\r\n?|\n/, maxLines).entries()) {
    const colon = line.indexOf(':')
    const key = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const [value = ''] = line.slice(colon + 1).split('#')
    if (colon === -1 || key.startsWith('#')) continue
    if (key === 'sitemap') sitemaps.push(line.slice(colon + 1).trim())
    if (key === 'user-agent') {
      if (!namesFollow) groups.push({ agents: [], rules: [], signals: [] })
      groups.at(-1)?.agents.push(toAgent(value))
      namesFollow = true
    }
    if (!ofGroups.has(key)) continue
    const group = groups.at(-1)
    if (!group) strays.push(at + 1)
    else if (key === 'content-signal') group.signals.push(value.trim())
    else group.rules.push({ isAllowed: key === 'allow', path: value.trim() })
    if (key !== 'content-signal') namesFollow = false
  }
  return { groups, sitemaps, strays }
}

/** The product token of a crawler, without a version. */
const toAgent = (value: string): string => value.trim().toLowerCase().split(/[\s/]/)[0] ?? ''

/** The combined rules of all groups that name an agent; if none does, those of `User-agent: *`. */
export function groupOf(groups: readonly RobotsGroup[], agent: string): RobotsGroup {
  const named = groups.filter(({ agents }) => agents.includes(agent))
  const its = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'))
  return { agents: [agent], rules: its.flatMap(({ rules }) => rules), signals: its.flatMap(({ signals }) => signals) }
}

/**
 * Whether a path may be fetched: the longest matching rule decides, and of two equally long ones the one that allows.
 */
export function mayFetch({ rules }: RobotsGroup, path: string): boolean {
  const [strongest] = rules
    .filter((rule) => rule.path !== '' && isMatch(rule.path, path))
    .toSorted((one, other) => other.path.length - one.path.length || Number(other.isAllowed) - Number(one.isAllowed))
  return strongest?.isAllowed ?? true
}

/** Whether a group keeps its agents out of the whole site. */
export const isClosed = (group: RobotsGroup): boolean =>
  !mayFetch(group, '/') && !group.rules.some(({ isAllowed, path }) => isAllowed && path !== '')

/** Matches a rule against a path in linear time, however many `*` the rule has. */
function isMatch(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith('$')
  const [first = '', ...others] = (isAnchored ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  const last = isAnchored ? others.pop() : undefined
  let at = first.length
  for (const piece of others) {
    const found = path.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  if (!isAnchored) return true
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last)
}
