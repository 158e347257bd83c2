import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../core/problem.ts'
import { readNodeBody } from '../http/read-body.ts'
import type { NodeHandle, Route } from '../http/route.ts'
import type { openOauth } from '../oauth/open-oauth.ts'
import { sendOn } from './frame.ts'
import { makeSessions, type Session } from './session.ts'
import { makeSignInDesk } from './sign-in-desk.ts'

const maxFormBytes = 16 * 1024

interface Options {
  readonly signIn: ReturnType<typeof openOauth>['signIn']
  readonly baseUrl: string
  readonly now: () => number
}

/** A request of a signed-in operator. */
export interface Asked {
  readonly session: Session
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** The variable part of the path. */
  readonly name: string
  /** The query of a GET request, or the form of a POST request. */
  readonly fields: URLSearchParams
}

type Answer = (asked: Asked) => Promise<void> | void

/** Guards the operator's pages: lets through signed-in browsers only, and forms from pages of this site only. */
export function openOperatorDoor({ signIn, baseUrl, now }: Options) {
  const { records, links, proofs, key } = signIn
  const sessions = makeSessions({ records, baseUrl, key, now })
  const desk = makeSignInDesk({ sessions, links, proofs, baseUrl, key, now })

  async function enter(req: IncomingMessage): Promise<Session> {
    const session = await sessions.find(req)
    if (!session) throw new Problem('sign-in-required')
    return session
  }
  const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams => new URL(url, baseUrl).searchParams

  /** Handles a form. @throws Problem when it is not from a signed-in browser and one of the session's own pages */
  const act =
    (answer: Answer): NodeHandle =>
    async (req, res, name) => {
      const session = await enter(req)
      sessions.assertOwnOrigin(req)
      const text = await readNodeBody(req, maxFormBytes)
      if (text === undefined)
        throw new Problem('body-too-large', { detail: `A form has at most ${maxFormBytes} bytes` })
      const fields = new URLSearchParams(text)
      sessions.assertToken(session, fields.get('token') ?? '')
      await answer({ session, req, res, name, fields })
    }

  const routes: Route<NodeHandle>[] = [
    { path: '/operator/sign-in', handlers: { GET: desk.read, POST: desk.answer } },
    {
      path: '/operator/sign-out',
      handlers: {
        POST: act(async ({ session, res }) => sendOn(res, '/operator/sign-in', await sessions.close(session))),
      },
    },
  ]

  return {
    routes,
    showLink: desk.showLink,
    act,
    /** Handles a page. Browsers that are not signed in are redirected to the sign-in page. */
    page:
      (answer: Answer): NodeHandle =>
      async (req, res, name) => {
        const session = await sessions.find(req)
        if (session) await answer({ session, req, res, name, fields: queryOf(req) })
        else sendOn(res, '/operator/sign-in')
      },
    /** Handles data that programs and scripts read. @throws Problem `sign-in-required` (401) without a session */
    data:
      (answer: Answer): NodeHandle =>
      async (req, res, name) =>
        answer({ session: await enter(req), req, res, name, fields: queryOf(req) }),
    /** Whether the session of a request is still valid. */
    isIn: async (req: IncomingMessage): Promise<boolean> => (await sessions.find(req)) !== undefined,
  }
}

export type OperatorDoor = ReturnType<typeof openOperatorDoor>
