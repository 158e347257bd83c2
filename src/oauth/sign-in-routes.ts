import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type InteractionResults, type Provider } from 'oidc-provider'
import { makeTurns } from '../core/make-turns.ts'
import { readNodeBody } from '../http/read-body.ts'
import { signInMs } from './make-provider.ts'
import { operatorScope, toOauthPlaces } from './places.ts'
import { sendPage } from './send-page.ts'
import type { SignInLinks } from './sign-in-links.ts'
import type { Asking } from './sign-in-message.ts'
import { toNotePage, toSignInPage, type Waiting } from './sign-in-page.ts'
import { refusals, type WalletProofs } from './wallet-proofs.ts'

const maxFormBytes = 32 * 1024
/** The only account. */
const operator = 'operator'
const usedLink = 'This link was used before, or has expired. Print a new one.'

interface Options {
  readonly provider: Provider
  readonly baseUrl: string
  readonly links: SignInLinks
  /** The proofs by wallet; absent where nobody has the key of the wallet. */
  readonly proofs: (WalletProofs & { readonly address: string }) | undefined
  /** Protects a sign-in and its client from eviction, because the operator is using them. */
  readonly hold: (waiting: { readonly uid: string; readonly clientId: string }) => Promise<void>
  readonly abilities: readonly string[]
  /** Shows the page of a printed link where no client is waiting. */
  readonly showLink: (res: ServerResponse, key: string) => void
}

/** A waiting sign-in with what its page shows and what a wallet signs. */
interface Found extends Waiting {
  readonly clientId: string
  readonly asking: Asking
  /** The result, if the operator has agreed already. */
  readonly agreed: InteractionResults | undefined
}

/**
 * The pages on which the operator agrees or denies. A page belongs to the browser that was redirected there, by its
 * cookie.
 */
export function makeSignInRoutes({ provider, baseUrl, links, proofs, hold, abilities, showLink }: Options) {
  const turns = makeTurns()

  async function findWaiting(req: IncomingMessage, res: ServerResponse, uid?: string): Promise<Found | undefined> {
    try {
      const { uid: own, params, exp, result } = await provider.interactionDetails(req, res)
      const client = await provider.Client.find(String(params['client_id']))
      if (!client || (uid !== undefined && uid !== own)) return undefined
      const redirect = new URL(String(params['redirect_uri']))
      const expiresAt = exp * 1000
      const asking = { uid: own, client: client.clientName, redirect, issuedAt: expiresAt - signInMs, expiresAt }
      const wallet = proofs && { address: proofs.address, message: proofs.message(asking) }
      const agreed = result?.consent?.grantId === undefined ? undefined : result
      const { clientId, clientName } = client
      return { uid: own, client: clientName, redirect, abilities, wallet, clientId, asking, agreed }
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined
      throw error
    }
  }

  function show(res: ServerResponse, waiting: Waiting, status = 200): void {
    sendPage(res, status, toSignInPage(waiting), waiting.redirect.origin)
  }

  const sayNothingWaits = (res: ServerResponse, advice: string): void =>
    sendPage(res, 404, toNotePage('Nothing waits for you here', advice))

  const finish = (req: IncomingMessage, res: ServerResponse, result: InteractionResults): Promise<void> =>
    provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false })

  async function allow(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(req, res)
    const grant = new provider.Grant({ accountId: operator, clientId: String(params['client_id']) })
    for (const resource of toOauthPlaces(baseUrl).resources) grant.addResourceScope(resource, operatorScope)
    await finish(req, res, {
      login: { accountId: operator, remember: false },
      consent: { grantId: await grant.save() },
    })
  }

  async function answer(req: IncomingMessage, res: ServerResponse, waiting: Found): Promise<void> {
    // A form that is too long is not ours; it counts as empty.
    const form = new URLSearchParams((await readNodeBody(req, maxFormBytes)) ?? '')
    if (form.get('answer') === 'deny')
      return finish(req, res, { error: 'access_denied', error_description: 'The operator said no' })
    await turns.take(waiting.uid, async () => {
      // A double click sends the form twice, and browsers follow the second response. So a repeated answer gets the
      // same result.
      const agreed = (await findWaiting(req, res, waiting.uid))?.agreed
      if (agreed) await finish(req, res, agreed)
      else if (form.get('answer') === 'wallet') {
        const proven = (await proofs?.use(waiting.asking, form.get('signature') ?? '')) ?? 'wrong'
        if (proven === 'good') await allow(req, res)
        else show(res, { ...waiting, notice: refusals[proven] }, 403)
      } else if (await links.use(form.get('link') ?? '')) await allow(req, res)
      else show(res, { ...waiting, notice: usedLink }, 403)
    })
  }

  return {
    /** Shows the page of a sign-in, and handles its form. */
    async signIn(req: IncomingMessage, res: ServerResponse, uid: string): Promise<void> {
      const waiting = await findWaiting(req, res, uid)
      if (!waiting)
        sayNothingWaits(
          res,
          'This sign-in is over, or belongs to another browser. Start it again from the program that asked.',
        )
      else if (req.method !== 'POST') show(res, waiting)
      else await answer(req, res, waiting)
    },

    /**
     * Shows the page of a printed link. Opening it does not use it up, because mail programs and browsers open links in
     * advance.
     */
    async link(req: IncomingMessage, res: ServerResponse, key: string): Promise<void> {
      const waiting = await findWaiting(req, res)
      if (waiting) {
        if (await links.isGood(key)) await hold(waiting)
        show(res, { ...waiting, key })
      } else showLink(res, key)
    },
  }
}
