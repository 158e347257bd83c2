import type { Fetched } from '../../../src/fetching/fetched.ts'
import type { Probe } from '../probe/probe-site.ts'
import { type SurfacePath, surfacePaths } from '../probe/surface-paths.ts'
import { type Kind, toKind } from './body-kind.ts'
import { readHtml } from './read-html.ts'

export interface Answered {
  readonly is: 'answered'
  readonly path: SurfacePath
  readonly url: string
  readonly fetched: Fetched
  readonly text: string
  readonly kind: Kind
  /** Whether other paths get the same page, as on sites that answer every request with it. */
  readonly isDouble: boolean
}

export type Seen = Answered | Extract<Probe, { is: 'silent' }>

/** The responses of all twelve paths. */
export interface Site {
  readonly get: (path: SurfacePath) => Seen
  readonly all: readonly Seen[]
}

/** Whether there is something at a path; `unclear` when the response does not tell, or denies us access. */
export function presence(seen: Seen): 'there' | 'absent' | 'unclear' {
  if (seen.is === 'silent') return 'unclear'
  const { status } = seen.fetched
  if (seen.isDouble || status === 404 || status === 410) return 'absent'
  return status >= 200 && status < 300 ? 'there' : 'unclear'
}

/** The response with the document at a path; undefined when there is none, or when we have no access. */
export const findAnswer = (seen: Seen): Answered | undefined =>
  seen.is === 'answered' && presence(seen) === 'there' ? seen : undefined

export function toSite(probes: readonly Probe[]): Site {
  const prints = probes.map((probe) => (probe.is === 'answered' ? toPrint(probe.path, probe.fetched) : undefined))
  const all = probes.map((probe, at): Seen => {
    if (probe.is === 'silent') return probe
    const text = toText(probe.fetched)
    const print = prints[at]
    const isDouble = at > 0 && print !== undefined && prints.filter((other) => other === print).length > 1
    return { ...probe, text, kind: toKind(text), isDouble }
  })
  return {
    all,
    get(path) {
      const seen = all[surfacePaths.indexOf(path)]
      if (!seen) throw new Error(`${path} was not asked for`)
      return seen
    },
  }
}

/** Characters that are compared: pages whose beginnings of this length are the same count as the same page. */
const comparedLength = 100_000

/** An HTML page without what differs between responses (its path, tokens, numbers); undefined when it is not a page. */
function toPrint(path: SurfacePath, fetched: Fetched): string | undefined {
  const text = toText(fetched).slice(0, comparedLength)
  const isPage = fetched.status >= 200 && fetched.status < 300 && toKind(text) === 'html'
  // A login form may be the rightful response of many paths.
  if (!isPage || readHtml(text).hasPasswordField) return undefined
  return text
    .replaceAll(path, '')
    .replace(/[\w+/=-]{16,}/g, '')
    .replace(/\d+/g, '')
}

function toText({ headers, body }: Fetched): string {
  const [, charset = 'utf-8'] = /charset="?([\w.:-]{1,40})/i.exec(headers.get('content-type') ?? '') ?? []
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}
