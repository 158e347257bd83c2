import type { Judgement } from './checks.ts'
import { checks } from './checks.ts'
import { nameOf } from './judge-crawling.ts'
import { silenceText } from './judge-delivery.ts'
import { findTerms } from './payment-terms.ts'
import { toPrintable } from './printable.ts'
import { readAdmin, readMcp } from './read-access.ts'
import { presence, type Seen } from './seen.ts'
import type { SurfacePath } from './surface-paths.ts'

/** One of the twelve, as the report lists it. */
export interface Surface {
  readonly path: SurfacePath
  readonly url: string
  /** `null`: there was no answer. */
  readonly status: number | null
  /** It is as it should be. A door that is closed, or is not there, is as it should be. */
  readonly ok: boolean
  readonly contentType: string | null
  readonly bytes: number
  readonly durationMs: number
  readonly redirectedTo: string | null
  readonly kind: 'html' | 'xml' | 'json' | 'text' | 'binary' | 'empty' | null
  readonly note: string
  readonly error: string | null
}

const doors: readonly SurfacePath[] = ['/_cms/admin/', '/_cms/api/mcp', '/.well-known/oauth-protected-resource']

export function describeSurface(seen: Seen, judgements: readonly Judgement[]): Surface {
  const { path, url } = seen
  const flaws = judgements.filter(({ id, isGood, surface = checks[id].surface }) => !isGood && surface === path)
  const [flaw] = ['high', 'medium'].flatMap((severity) => flaws.filter(({ id }) => checks[id].severity === severity))
  if (seen.is === 'silent') {
    const error = silenceText[seen.reason]
    const durationMs = Math.round(seen.durationMs)
    const nothing = { status: null, ok: false, contentType: null, bytes: 0, redirectedTo: null, kind: null }
    return { path, url, ...nothing, durationMs, note: 'No answer.', error }
  }
  const { fetched, kind } = seen
  return {
    path,
    url,
    status: fetched.status,
    ok: isServing(seen) && !flaw,
    contentType: toPrintable(fetched.headers.get('content-type') ?? '') || null,
    bytes: fetched.body.length,
    durationMs: Math.round(fetched.durationMs),
    redirectedTo: fetched.redirects > 0 ? fetched.url : null,
    kind,
    note: flaw && presence(seen) === 'there' ? `${checks[flaw.id].title}.` : toNote(seen),
    error: null,
  }
}

function isServing(seen: Seen): boolean {
  if (seen.is === 'silent') return false
  if (presence(seen) === 'there') return true
  if (doors.includes(seen.path)) return presence(seen) === 'absent' || [401, 403].includes(seen.fetched.status)
  return seen.path === '/llms-full.txt' && seen.fetched.status === 402 && findTerms(seen) !== undefined
}

function toNote(seen: Extract<Seen, { is: 'answered' }>): string {
  if (seen.isDouble) return 'The same page as other paths get.'
  const { status } = seen.fetched
  if (seen.path === '/_cms/admin/' && readAdmin(seen) === 'login') return 'Asks for a login.'
  if (seen.path === '/_cms/api/mcp' && readMcp(seen) === 'guarded') return 'Asks for a token.'
  if (presence(seen) === 'absent')
    return doors.includes(seen.path) ? 'Nothing here, so nothing is open.' : 'Nothing here.'
  if (status === 402) {
    const terms = findTerms(seen)
    return terms
      ? `Asks for a payment of ${terms.amount} units on ${toPrintable(terms.network, 40)}.`
      : 'Asks for a payment.'
  }
  if (presence(seen) === 'unclear') return `Answers ${status}.`
  const name = nameOf(seen)
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}${seen.fetched.isCut ? ', longer than what was read' : ''}.`
}
