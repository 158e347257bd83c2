import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Problem } from '../core/problem.ts'
import type { OauthRecords } from '../oauth/oauth-records.ts'

const kind = 'OperatorSession'
const lifetimeMs = 12 * 60 * 60 * 1000
/** Within so long the same press of a button is the same press. */
const pressMs = 10_000

interface Options {
  readonly records: Pick<OauthRecords, 'find' | 'keep' | 'forget'>
  readonly baseUrl: string
  /** Of this installation. */
  readonly key: Buffer
  readonly now: () => number
}

/** One browser that is signed in. */
export interface Session {
  readonly id: string
  /** What each form of its pages carries. */
  readonly token: string
}

/** The value of a cookie of a request. */
const readCookie = (req: Pick<IncomingMessage, 'headers'>, name: string): string | undefined =>
  (req.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/**
 * The operator's sessions in browsers. They are kept with what else the operator's sign-in gave, so that `sign-out` in
 * the terminal ends them all; whoever reads the file learns no cookie. A browser sends the cookie to nobody else, and
 * not with what other sites cause.
 */
export function makeSessions({ records, baseUrl, key, now }: Options) {
  // Over plain http, which is the sandbox, browsers refuse the name and the attribute.
  const isSecure = baseUrl.startsWith('https:')
  const name = isSecure ? '__Host-farthing_operator' : 'farthing_operator'
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  const { origin } = new URL(baseUrl)
  const derive = (text: string): string => createHmac('sha256', key).update(text).digest('base64url')
  const toToken = (id: string): string => derive(`form ${id}`)
  const toCookie = (id: string): string => `${name}=${id}; ${attributes}; Max-Age=${lifetimeMs / 1000}`

  return {
    /**
     * @param press what only the form knows that signed in, and only as it was sent
     * @returns the cookie of a new session, as `Set-Cookie` says it
     */
    async open(press?: string): Promise<string> {
      const id = press === undefined ? randomBytes(32).toString('base64url') : derive(`session ${press}`)
      await records.keep(kind, id, { payload: '{}', expiresAt: now() + lifetimeMs })
      return toCookie(id)
    },

    /** @returns the cookie of the session that the same press has opened a moment ago, if it has */
    async findOpened(press: string): Promise<string | undefined> {
      const id = derive(`session ${press}`)
      const kept = await records.find(kind, id)
      return kept && kept.expires_at - lifetimeMs + pressMs > now() ? toCookie(id) : undefined
    },

    /** Undefined for whoever is not signed in, any more or at all. */
    async find(req: Pick<IncomingMessage, 'headers'>): Promise<Session | undefined> {
      const id = readCookie(req, name)
      if (id === undefined || !/^[\w-]{43}$/.test(id)) return undefined
      return (await records.find(kind, id)) && { id, token: toToken(id) }
    },

    /** @returns the cookie that takes the session out of the browser */
    async close({ id }: Session): Promise<string> {
      await records.forget(kind, id)
      return `${name}=; ${attributes}; Max-Age=0`
    },

    /**
     * Refuses a form that another site sent, whatever cookie came with it.
     *
     * @throws Problem
     */
    assertOwnOrigin(req: Pick<IncomingMessage, 'headers'>): void {
      const { origin: from, 'sec-fetch-site': site } = req.headers
      if (from !== origin || (site !== undefined && site !== 'same-origin'))
        throw new Problem('foreign-request', { detail: `Only pages of ${origin} may send this; nothing was done` })
    },

    /**
     * Refuses a form that none of the session's own pages made.
     *
     * @throws Problem
     */
    assertToken({ token }: Session, shown: string): void {
      const [mine, theirs] = [Buffer.from(token), Buffer.from(shown)]
      if (mine.length !== theirs.length || !timingSafeEqual(mine, theirs)) throw new Problem('foreign-request')
    },
  }
}

export type Sessions = ReturnType<typeof makeSessions>
