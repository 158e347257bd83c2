import { Problem } from '../core/problem.ts'
import { toPointed, validate } from '../core/validate.ts'
import { readForm } from '../http/read-form.ts'
import type { Handle } from '../http/route.ts'
import { mentionSchema } from './mention-schema.ts'
import type { MentionStore } from './mention-store.ts'

const maxBytes = 8 * 1024

interface Options {
  readonly store: Pick<MentionStore, 'receive'>
  readonly baseUrl: string
  /** The post at a current or former path: its current path and its former ones; undefined when there is none. */
  readonly findPost: (path: string) => { readonly path: string; readonly formers: readonly string[] } | undefined
  /** Counts a request of a client address. @throws Problem when it has sent too many */
  readonly count: (address: string) => void
  readonly now: () => number
}

/**
 * `POST /api/webmention` (W3C): records the notice; the page is fetched later. The response does not tell whether the
 * page links to us, is known already, or was refused.
 */
export function makeReceiveMention({ store, baseUrl, findPost, count, now }: Options): Handle {
  const { host } = new URL(baseUrl)
  const wrong = (pointer: string, detail: string) => new Problem('invalid-input', { errors: [{ pointer, detail }] })

  return async (request, _name, address) => {
    const form = await readForm(request, maxBytes)
    const read = validate(mentionSchema, Object.fromEntries(form))
    if (read.is === 'wrong') throw new Problem('invalid-input', { errors: read.faults.map(toPointed) })
    const target = new URL(read.value.target)
    const post = target.host === host ? findPost(target.pathname.replace(/\/$/, '')) : undefined
    if (post === undefined) throw wrong('/target', 'must be the address of a post of this site')
    const source = new URL(read.value.source)
    if (source.host === host) throw wrong('/source', 'must be a page of another site')
    count(address)
    source.hash = ''
    if (!(await store.receive(source.href, post.path, now(), post.formers)))
      throw new Problem('rate-limited', {
        detail: 'Too many mentions wait to be looked at; send this one again later',
        retryAfterSeconds: 3600,
      })
    return new Response('Thank you. Your page is looked at, and shown here once that is approved.\n', {
      status: 202,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    })
  }
}
