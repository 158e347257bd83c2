import type { z } from 'zod'
import { Problem, toProblemResponse } from '../core/problem.ts'
import { toPointed, validate } from '../core/validate.ts'
import { readJson } from '../http/read-json.ts'
import { readQuery } from '../http/read-query.ts'
import { requestIdIn } from '../http/request-id.ts'
import type { Make } from '../offers/make.ts'
import type { Offer } from '../offers/offer.ts'
import type { ProductStore } from '../payments/ledger/product-store.ts'
import type { WorkSlots } from '../payments/purchase/work-slots.ts'
import type { CheckSignIn, SignIn } from '../payments/sign-in/check-sign-in.ts'
import { readSignInHeader } from '../payments/sign-in/read-sign-in-header.ts'
import { signInStatement, toSignInMessage } from '../payments/sign-in/sign-in-message.ts'
import type { SignInNonces } from '../payments/sign-in/sign-in-nonces.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { findBought, isReceiptOf } from './bought.ts'
import { fetchBought } from './fetch-bought.ts'
import { toLibraryCsv } from './library-csv.ts'
import { askingSchema, type Library, libraryQuery, signedSchema } from './library-schema.ts'
import { makeWalletSessions } from './wallet-sessions.ts'

export interface LibraryOptions {
  readonly db: LedgerDatabase
  readonly products: ProductStore
  readonly baseUrl: string
  readonly offers: readonly Offer[]
  readonly findMake: (offer: Offer) => Make | undefined
  /** The most purchases in one response, 1000 when absent; `next` links to the earlier ones. */
  readonly mostAtOnce?: number
  readonly checkSignIn: CheckSignIn
  readonly nonces: SignInNonces
  /** Bounds the work of making products again, together with purchases. */
  readonly slots: WorkSlots
  readonly report: (error: unknown) => void
  readonly now: () => number
}

/** The purchases that the library page shows. */
export interface Shelf extends Library {
  /** The receipt id that the list was asked to start after; undefined when it starts with the newest purchase. */
  readonly before: string | undefined
}

const unseen = { 'cache-control': 'private, no-store', vary: 'Cookie, SIGN-IN-WITH-X' } as const
const limits = { maxBytes: 64 * 1024, maxDepth: 3 }

/**
 * The handlers of the library, which shows a wallet its purchases. A wallet signs in with a signed message (EIP-4361),
 * and is then known by a session cookie or by a `SIGN-IN-WITH-X` header.
 */
export function openLibrary(options: LibraryOptions) {
  const { db, baseUrl, mostAtOnce: most = 1000, checkSignIn, nonces, now } = options
  const sessions = makeWalletSessions({ db, now, baseUrl })
  const { host: domain, origin } = new URL(baseUrl)
  const uri = `${baseUrl}/library`

  const toMessage = (address: string): string => {
    const issuedAt = new Date(now())
    const terms = { domain, uri, nonce: nonces.draw(), issuedAt, statement: signInStatement }
    const message = toSignInMessage(terms, address)
    if (message === undefined)
      throw new Problem('invalid-input', { errors: [{ pointer: '/address', detail: 'must be an address' }] })
    return message
  }
  /**
   * Returns the wallet that signed a message.
   *
   * @throws Problem when the message does not sign anybody in
   */
  const check = async (signed: Pick<SignIn, 'message' | 'signature'>): Promise<string> => {
    const answer = await checkSignIn({ ...signed, domain, uri })
    switch (answer.is) {
      case 'wallet':
        return answer.wallet
      case 'refused':
        throw new Problem('wallet-sign-in-required', {
          detail: `${answer.why}. Ask for a new message and sign that one`,
        })
      case 'unknown':
        throw new Problem('busy', {
          retryAfterSeconds: 5,
          detail: 'The chain does not answer, so the contract of this wallet could not be asked. Ask for a new message',
        })
    }
  }
  const list = async (wallet: string, path = '/api/library.json', before?: string): Promise<Library> => {
    const { purchases, hasMore } = await findBought(options, { wallet, most, before })
    const last = purchases.at(-1)
    const next = hasMore && last && `${baseUrl}${path}?before=${last.receiptId}`
    return { wallet, count: purchases.length, purchases, ...(next && { next }) }
  }
  /**
   * Lists the purchases that a request asks for.
   *
   * @throws Problem when nobody is signed in, or the query is invalid
   */
  const listAsked = async (request: Request, path: string): Promise<Library> => {
    const query = readQuery(libraryQuery, new URL(request.url).searchParams)
    if (query.is === 'refused') throw new Problem('invalid-input', { errors: query.errors })
    return list(await walletOf(request), path, query.value.before)
  }
  const read = async <Schema extends z.ZodObject>(request: Request, schema: Schema): Promise<z.output<Schema>> => {
    const from = request.headers.get('origin')
    if (from !== null && from !== origin)
      throw new Problem('wallet-sign-in-required', { detail: 'Pages of other sites cannot sign anybody in here' })
    const body = await readJson(request, limits)
    if (body.is === 'refused') throw new Problem(body.kind, { errors: [{ pointer: '', detail: body.detail }] })
    const checked = validate(schema, body.value)
    if (checked.is !== 'valid') throw new Problem('invalid-input', { errors: checked.faults.map(toPointed) })
    return checked.value
  }
  /**
   * The wallet that a request is signed in with, by header or cookie.
   *
   * @throws Problem when nobody is signed in
   */
  const walletOf = async (request: Request): Promise<string> => {
    const header = request.headers.get('sign-in-with-x')
    if (header !== null) {
      const signed = readSignInHeader(header)
      if (!signed) throw new Problem('wallet-sign-in-required', { detail: 'The SIGN-IN-WITH-X header cannot be read' })
      return check(signed)
    }
    const wallet = await sessions.find(request)
    if (wallet === undefined) throw new Problem('wallet-sign-in-required')
    return wallet
  }

  /** Wraps a handler: a thrown Problem becomes its response, with the id of the request. */
  const answering =
    <More extends readonly unknown[]>(answer: (request: Request, ...more: More) => Promise<Response>) =>
    async (request: Request, ...more: More): Promise<Response> => {
      try {
        return await answer(request, ...more)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return toProblemResponse(error, { baseUrl, requestId: requestIdIn(request) })
      }
    }

  return {
    /**
     * The purchases for the library page: from the newest, or those before the receipt in `?before=`; undefined while
     * nobody is signed in. A receipt of another wallet, whose URL may be left in the browser, is ignored.
     */
    async shelf(request: Request): Promise<Shelf | undefined> {
      const wallet = await sessions.find(request)
      if (wallet === undefined) return undefined
      const query = readQuery(libraryQuery, new URL(request.url).searchParams)
      const asked = query.is === 'valid' ? query.value.before : undefined
      const before = asked !== undefined && (await isReceiptOf(db, wallet, asked)) ? asked : undefined
      return { ...(await list(wallet, '/library', before)), before }
    },
    /**
     * The message that a wallet signs.
     *
     * @throws Problem invalid-input when the argument is not an address
     */
    toMessage,
    /**
     * The purchases of the wallet that signed a message.
     *
     * @throws Problem when the message does not sign anybody in
     */
    listFor: async (signed: Pick<SignIn, 'message' | 'signature'>): Promise<Library> => list(await check(signed)),

    /** `POST /api/library/message`. */
    giveMessage: answering(async (request: Request) => {
      const { address } = await read(request, askingSchema)
      return Response.json({ message: toMessage(address) }, { headers: unseen })
    }),
    /** `POST /api/library/sign-in`. */
    signIn: answering(async (request: Request) => {
      const wallet = await check(await read(request, signedSchema))
      return Response.json({ wallet }, { headers: { ...unseen, 'set-cookie': await sessions.begin(wallet) } })
    }),
    /** `POST /api/library/sign-out`, sent by a form: redirects to the library page. */
    signOut: answering(async (request: Request) => {
      const headers = { ...unseen, location: '/library', 'set-cookie': await sessions.end(request) }
      return new Response(null, { status: 303, headers })
    }),
    /** `GET /api/library.json`. */
    json: answering(async (request: Request) =>
      Response.json(await listAsked(request, '/api/library.json'), { headers: unseen }),
    ),
    /** `GET /api/library.csv`. */
    csv: answering(async (request: Request) => {
      const { purchases, next } = await listAsked(request, '/api/library.csv')
      const disposition = { 'content-disposition': 'attachment; filename="purchases.csv"' }
      const link = next === undefined ? {} : { link: `<${next}>; rel="next"` }
      return new Response(toLibraryCsv(purchases), {
        headers: { ...unseen, ...disposition, ...link, 'content-type': 'text/csv; charset=utf-8' },
      })
    }),
    /** `GET /api/library/{id}`: what was bought under that receipt. */
    download: answering(async (request: Request, receiptId: string) =>
      fetchBought(options, {
        wallet: await walletOf(request),
        receiptId,
        signal: request.signal,
        noneMatch: request.headers.get('if-none-match'),
      }),
    ),
  }
}

export type OwnersLibrary = ReturnType<typeof openLibrary>
