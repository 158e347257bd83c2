import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { ask, connect, type OpenSocket, type Place } from './ask.ts'
import { type Fetched, FetchFailed, type FetchWish, type GuardedFetch } from './fetched.ts'
import type { FindAddresses } from './find-addresses.ts'
import { isPublicAddress } from './public-address.ts'
import { findUrlRefusal } from './public-https-url.ts'
import { isEncoded, readBody, readEncoded } from './read-body.ts'
import type { RequestSigner } from './request-signatures.ts'

const maxRedirects = 3
/** How many addresses of one name are tried, because a name may have hundreds. */
const maxAddresses = 4
const redirectStatuses: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308])

export interface GuardOptions {
  /** `User-Agent`: names our program and where to read about it. */
  readonly userAgent: string
  /** URLs of services that this site uses; strangers must not reach their hosts through it. */
  readonly refusedUrls: readonly string[]
  readonly findAddresses: FindAddresses
  readonly openSocket: OpenSocket
  /** Signs each request, so that hosts can verify that it is ours. */
  readonly sign?: RequestSigner
  /** Names of the sandbox, which are looked up here instead of in DNS. */
  readonly test: {
    readonly hosts: ReadonlyMap<string, { readonly address: string; readonly port: number }>
    readonly caFile: string | undefined
  }
}

/**
 * Makes the function that fetches URLs that strangers name. Each hop is checked in the same way: the URL by its text;
 * its name is looked up once, all its addresses must be public, and the connection goes to one of exactly these
 * addresses.
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
    // A name with both public and other addresses is misconfigured or an attack.
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

  const follow = async (from: URL, wish: FetchWish, signal: AbortSignal) => {
    // Not `deflate`, under which some servers send what others cannot read (RFC 9110, 8.4.1.2).
    const headers = { 'user-agent': options.userAgent, accept: wish.accept, 'accept-encoding': 'gzip, br' }
    let url = from
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const connection = await reach(url.hostname, signal)
      try {
        const message = await ask(connection, url, { headers: { ...headers, ...options.sign?.(url) }, signal })
        const location = redirectStatuses.has(message.statusCode) ? message.headers.location : undefined
        if (location === undefined) return { url: url.href, redirects, ...(await readAnswer(message, wish)) }
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

/** The target of a redirect. One with a tab or a backslash is refused, because programs read it in different ways. */
function toAbsolute(written: string, base: URL): string {
  const location = toText(written)
  if (/[\\\t]/.test(location) || !URL.canParse(location, base)) throw new FetchFailed('refused')
  return new URL(location, base).href
}

/** Decodes a header as UTF-8 where possible, as browsers do for non-ASCII addresses. Node.js decodes it as Latin-1. */
function toText(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}

type Answer = Pick<Fetched, 'status' | 'headers' | 'body' | 'encoding' | 'isCut'>

async function readAnswer(message: IncomingMessage, { maxBytes, keepsEncoding }: FetchWish): Promise<Answer> {
  const headers = new Map<string, string>()
  for (const [name, values = []] of Object.entries(message.headersDistinct)) headers.set(name, values.join(', '))
  const encoding = headers.get('content-encoding') ?? ''
  const read =
    keepsEncoding && isEncoded(encoding)
      ? { ...(await readEncoded(message, maxBytes)), encoding }
      : await readBody(message, encoding, maxBytes)
  return { status: message.statusCode ?? 0, headers, ...read }
}
