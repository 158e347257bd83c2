import type { Diagnosis } from '../diagnosis-schema.ts'
import { checks, type Judgement } from '../judge/checks.ts'
import { failureText } from '../judge/judge-delivery.ts'
import type { SurfacePath } from '../probe/surface-paths.ts'
import { nameOf } from '../read/body-kind.ts'
import { findTerms } from '../read/find-terms.ts'
import { readAdmin, readMcp } from '../read/read-access.ts'
import { presence, type Seen } from '../read/seen.ts'
import { toPrintable } from '../read/to-printable.ts'

const doors: readonly SurfacePath[] = ['/_cms/admin/', '/_cms/api/mcp', '/.well-known/oauth-protected-resource']

/** One of the twelve paths, as the report lists it. */
export function describeSurface(seen: Seen, judgements: readonly Judgement[]): Diagnosis['surfaces'][number] {
  const { path, url } = seen
  const flaws = judgements.filter(({ id, isGood, surface = checks[id].surface }) => !isGood && surface === path)
  const [flaw] = ['high', 'medium'].flatMap((severity) => flaws.filter(({ id }) => checks[id].severity === severity))
  if (seen.is === 'silent') {
    const error = failureText[seen.reason]
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
