import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { ask, connect, type OpenSocket, type Place } from './ask.ts'
import { type Fetched, FetchFailed, type FetchWish, type GuardedFetch } from './fetched.ts'
import type { FindAddresses } from './find-addresses.ts'
import { isPublicAddress } from './public-address.ts'
import { findUrlRefusal } from './public-https-url.ts'
import { readBody } from './read-body.ts'
import type { RequestSigner } from './request-signatures.ts'

const maxRedirects = 3
/** Of one name: a name with hundreds of addresses does not make us try hundreds of times. */
const maxAddresses = 4
const redirectStatuses: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308])

export interface GuardOptions {
  /** Says who asks and where to read about it. */
  readonly userAgent: string
  /** Services that this site depends on and strangers must not reach through it. */
  readonly refusedUrls: readonly string[]
  readonly findAddresses: FindAddresses
  readonly openSocket: OpenSocket
  /** Shows each host that it is really us who asks. */
  readonly sign?: RequestSigner
  /** Names that are looked up here instead of in DNS; sandbox only. */
  readonly test: {
    readonly hosts: ReadonlyMap<string, { readonly address: string; readonly port: number }>
    readonly caFile: string | undefined
  }
}

/**
 * The way out to addresses that strangers name. Each hop passes the same gate: the URL is judged by its text, its
 * name is looked up once, every answer must be public, and one of exactly these answers is connected to.
 */
export function makeGuardedFetch(options: GuardOptions): GuardedFetch {
  const refusedHosts = new Set(options.refusedUrls.map((url) => new URL(url).hostname))
  const ca = options.test.caFile === undefined ? undefined : readFileSync(options.test.caFile, 'utf8')

  const toPublicUrl = (text: string): URL => {
    if (findUrlRefusal(text) !== undefined) throw new FetchFailed('refused')
    const url = new URL(text)
    if (refusedHosts.has(url.hostname)) throw new FetchFailed('refused')
    url.hash = ''
    return url
  }

  const findPlaces = async (host: string, signal: AbortSignal): Promise<Place[]> => {
    const test = options.test.hosts.get(host)
    if (test) return [{ is: 'test', ...test, ca }]
    const addresses = await options.findAddresses(host, signal)
    signal.throwIfAborted()
    if (addresses.length === 0) throw new FetchFailed('unresolvable')
    // A name that is half inside is either broken or up to something.
    if (!addresses.every(isPublicAddress)) throw new FetchFailed('refused')
    return addresses.slice(0, maxAddresses).map((address) => ({ is: 'public', address }))
  }

  const reach = async (host: string, signal: AbortSignal): Promise<TLSSocket> => {
    let failure = new FetchFailed('unreachable')
    for (const place of await findPlaces(host, signal)) {
      try {
        return await connect(place, host, { openSocket: options.openSocket, signal })
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof FetchFailed) || error.reason !== 'unreachable') throw error
        failure = error
      }
    }
    throw failure
  }

  const follow = async (from: URL, { accept, maxBytes }: FetchWish, signal: AbortSignal) => {
    // Not `deflate`, under which some servers send what others cannot read (RFC 9110, 8.4.1.2).
    const headers = { 'user-agent': options.userAgent, accept, 'accept-encoding': 'gzip, br' }
    let url = from
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const connection = await reach(url.hostname, signal)
      try {
        const message = await ask(connection, url, { headers: { ...headers, ...options.sign?.(url) }, signal })
        const location = redirectStatuses.has(message.statusCode) ? message.headers.location : undefined
        if (location === undefined) return { url: url.href, redirects, ...(await readAnswer(message, maxBytes)) }
        url = toPublicUrl(toAbsolute(location, url))
      } finally {
        connection.destroy()
      }
    }
    throw new FetchFailed('too-many-redirects')
  }

  return async (text, wish) => {
    const from = performance.now()
    const deadline = AbortSignal.timeout(wish.deadlineMs)
    const signal = wish.signal ? AbortSignal.any([deadline, wish.signal]) : deadline
    try {
      return { ...(await follow(toPublicUrl(text), wish, signal)), durationMs: performance.now() - from }
    } catch (error) {
      wish.signal?.throwIfAborted()
      if (deadline.aborted) throw new FetchFailed('timeout', { cause: error })
      throw error
    }
  }
}

/** A redirect with a tab or a backslash is read in two ways by two programs; neither is followed. */
function toAbsolute(written: string, base: URL): string {
  const location = toText(written)
  if (/[\\\t]/.test(location) || !URL.canParse(location, base)) throw new FetchFailed('refused')
  return new URL(location, base).href
}

/** Node.js reads a header as one character to a byte; an address that is not ASCII stands there in UTF-8, as in browsers. */
function toText(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}

type Answer = Pick<Fetched, 'status' | 'headers' | 'body' | 'isCut'>

async function readAnswer(message: IncomingMessage, maxBytes: number): Promise<Answer> {
  const headers = new Map<string, string>()
  for (const [name, values = []] of Object.entries(message.headersDistinct)) headers.set(name, values.join(', '))
  const read = await readBody(message, headers.get('content-encoding') ?? '', maxBytes)
  return { status: message.statusCode ?? 0, headers, ...read }
}
