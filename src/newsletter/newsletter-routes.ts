import { Problem } from '../core/problem.ts'
import { toPointed, validate } from '../core/validate.ts'
import { readBody } from '../http/read-body.ts'
import { readForm } from '../http/read-form.ts'
import type { Handle, Route } from '../http/route.ts'
import { subscribeSchema } from './newsletter-schema.ts'
import { type Readers, readerKey } from './readers.ts'

interface Options {
  readonly readers: Readers
  /** Counts a request of a client address. @throws Problem when it has sent too many */
  readonly count: (address: string) => void
  /** Called when a confirmation may be due. */
  readonly onAsked: () => void
  readonly now: () => number
}

const maxBytes = 4 * 1024

const sendOn = (query: string): Response =>
  new Response(null, { status: 303, headers: { location: `/follow${query}`, 'cache-control': 'no-store' } })

const wrongToken = () =>
  new Problem('invalid-input', { errors: [{ pointer: '/token', detail: 'must be the one of your e-mail, whole' }] })

/**
 * The routes of the newsletter's forms; without `options` they answer `not-found`. Responses are the same for every
 * e-mail address, so that they do not tell whether it is subscribed.
 */
export function makeNewsletterRoutes(options: Options | undefined): Route[] {
  const offered =
    (answer: (given: Options, ...asked: Parameters<Handle>) => Promise<Response>): Handle =>
    async (...asked) => {
      if (!options) throw new Problem('not-found', { detail: 'This site sends no newsletter by itself' })
      return answer(options, ...asked)
    }

  const subscribe = offered(async ({ readers, count, onAsked, now }, request, _name, address) => {
    const read = validate(subscribeSchema, Object.fromEntries(await readForm(request, maxBytes)))
    if (read.is === 'wrong') throw new Problem('invalid-input', { errors: read.faults.map(toPointed) })
    count(address)
    if (!(await readers.ask(read.value.email, now())))
      throw new Problem('rate-limited', {
        detail: 'Too many people subscribe just now; try again in an hour',
        retryAfterSeconds: 3600,
      })
    onAsked()
    return sendOn('?said=asked')
  })

  const confirm = offered(async ({ readers, now }, request) => {
    const form = await readForm(request, maxBytes)
    const isConfirmed = await readers.confirm(form.get('token') ?? '', now())
    return sendOn(isConfirmed ? '?said=confirmed' : '?said=expired')
  })

  const leave = offered(async ({ readers }, request) => {
    const { data: id } = readerKey.safeParse(new URL(request.url).searchParams.get('token'))
    // A mail program may send the form urlencoded or as multipart (RFC 8058).
    const body = (await readBody(request, maxBytes))?.toString('utf8') ?? ''
    const isOneClick = /List-Unsubscribe[\s\S]*One-Click/.test(body)
    if (id === undefined) throw wrongToken()
    await readers.leave(id)
    if (!isOneClick) return sendOn('?said=left')
    return new Response('You will get no more e-mails, and your address has been deleted.\n', {
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    })
  })

  /** Mail programs without one-click unsubscribing open the same URL in a browser. */
  const showLeave: Handle = ({ url }) => {
    const token = new URL(url).searchParams.get('token')
    return sendOn(token === null ? '' : `?leave=${encodeURIComponent(token)}`)
  }

  return [
    { path: '/api/newsletter', handlers: { POST: subscribe } },
    { path: '/api/newsletter/confirm', handlers: { POST: confirm } },
    { path: '/api/newsletter/leave', handlers: { GET: showLeave, POST: leave } },
  ]
}
