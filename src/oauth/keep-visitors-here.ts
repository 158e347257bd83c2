import type { Configuration, errors, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { oauthPaths } from './places.ts'

/** Shows the page after a denial; `back` is the redirect that would tell the client. */
export type RenderDenial = (ctx: KoaContextWithOIDC, back: URL) => void

interface Options {
  readonly renderError: NonNullable<Configuration['renderError']>
  readonly renderDenial: RenderDenial
  /** Whether one of our pages was shown for this error. */
  readonly isShown: (ctx: object) => boolean
}

/**
 * Prevents the authorization server from being used as an open redirector (RFC 9700, 4.11.2): anybody may register a
 * client with any redirect address, and a visitor may have followed a link without asking for anything. So before the
 * operator has proven to be here, no response redirects to the client: errors are shown here, whatever response mode
 * the client asked for, and after a denial a page has a link to the client. Only a client on the visitor's own machine
 * (at an http address) gets the redirect of a denial at once, because it leads to no other machine.
 */
export function keepVisitorsHere(provider: Provider, { renderError, renderDenial, isShown }: Options): void {
  const reasons = new WeakMap<object, errors.OIDCProviderError>()
  provider.on('authorization.error', (ctx, error) => reasons.set(ctx, error))
  provider.use(async (ctx: KoaContextWithOIDC, next) => {
    await next()
    if (!ctx.path.startsWith(oauthPaths.authorize)) return
    const result = ctx.oidc?.entities.Interaction?.result
    const location = String(ctx.res.getHeader('location') ?? '')
    const isOurs =
      location.startsWith(oauthPaths.signIn) || (location === '' && (isShown(ctx) || ctx.type === 'application/json'))
    if (isOurs || result?.consent !== undefined) return
    const back = URL.parse(location)
    if (result !== undefined && back?.protocol === 'http:') return
    ctx.remove('location')
    ctx.status = result === undefined ? 400 : 200
    const { error = 'invalid_request', error_description } = reasons.get(ctx) ?? {}
    if (result !== undefined && back) renderDenial(ctx, back)
    else
      await renderError(ctx, { error, ...(error_description !== undefined && { error_description }) }, new Error(error))
  })
}
