import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Problem } from '../core/problem.ts'
import type { OauthRecords } from '../oauth/oauth-records.ts'

const kind = 'OperatorSession'
const lifetimeMs = 12 * 60 * 60 * 1000
/** How long a repeated submission of the same sign-in form counts as a double click. */
const pressMs = 10_000

interface Options {
  readonly records: Pick<OauthRecords, 'find' | 'keep' | 'forget'>
  readonly baseUrl: string
  /** Secret key of this installation. */
  readonly key: Buffer
  readonly now: () => number
}

/** One browser that is signed in. */
export interface Session {
  readonly id: string
  /** The form token that each form of its pages contains. */
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
 * The operator's sessions in browsers. They are stored with the other records of the operator's sign-in, so that
 * `sign-out` in the terminal ends them all. Cookies are stored as hashes only. A browser sends the cookie to this site
 * only, and not with requests that other sites cause.
 */
export function makeSessions({ records, baseUrl, key, now }: Options) {
  // Over plain http, in the sandbox, browsers refuse the prefix `__Host-` and the attribute `Secure`.
  const isSecure = baseUrl.startsWith('https:')
  const name = isSecure ? '__Host-farthing_operator' : 'farthing_operator'
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  const { origin } = new URL(baseUrl)
  const derive = (text: string): string => createHmac('sha256', key).update(text).digest('base64url')
  const toToken = (id: string): string => derive(`form ${id}`)
  const toCookie = (id: string): string => `${name}=${id}; ${attributes}; Max-Age=${lifetimeMs / 1000}`

  return {
    /**
     * Opens a session.
     *
     * @param press identifies the submitted sign-in form; a secret that only this form contains
     * @returns the value of `Set-Cookie`
     */
    async open(press?: string): Promise<string> {
      const id = press === undefined ? randomBytes(32).toString('base64url') : derive(`session ${press}`)
      await records.keep(kind, id, { payload: '{}', expiresAt: now() + lifetimeMs })
      return toCookie(id)
    },

    /** @returns the `Set-Cookie` of the session that the same form has just opened; undefined when it has not */
    async findOpened(press: string): Promise<string | undefined> {
      const id = derive(`session ${press}`)
      const kept = await records.find(kind, id)
      return kept && kept.expires_at - lifetimeMs + pressMs > now() ? toCookie(id) : undefined
    },

    /** The session of a request; undefined when its browser is not signed in, or not any more. */
    async find(req: Pick<IncomingMessage, 'headers'>): Promise<Session | undefined> {
      const id = readCookie(req, name)
      if (id === undefined || !/^[\w-]{43}$/.test(id)) return undefined
      return (await records.find(kind, id)) && { id, token: toToken(id) }
    },

    /** Ends a session. @returns the `Set-Cookie` that deletes the cookie */
    async close({ id }: Session): Promise<string> {
      await records.forget(kind, id)
      return `${name}=; ${attributes}; Max-Age=0`
    },

    /**
     * Refuses a form that another site sent, even with a valid cookie.
     *
     * @throws Problem
     */
    assertOwnOrigin(req: Pick<IncomingMessage, 'headers'>): void {
      const { origin: from, 'sec-fetch-site': site } = req.headers
      if (from !== origin || (site !== undefined && site !== 'same-origin'))
        throw new Problem('foreign-request', { detail: `Only pages of ${origin} may send this; nothing was done` })
    },

    /**
     * Refuses a form without the session's form token. The comparison takes constant time.
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
