import type { Configuration, errors, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { oauthPaths } from './places.ts'

/** Answers a person who said no; `back` is where the program would hear of it. */
export type RenderDenial = (ctx: KoaContextWithOIDC, back: URL) => void

interface Options {
  readonly renderError: NonNullable<Configuration['renderError']>
  readonly renderDenial: RenderDenial
  /** Whether an error was answered by a page of ours. */
  readonly isShown: (ctx: object) => boolean
}

/**
 * Whoever makes a program known chooses where its answers lead, and whoever follows a link here may have asked for
 * nothing. So no answer sends a visitor away before the operator has proven to be here: errors are shown here in
 * whatever way the program wants to hear of them (RFC 9700, 4.11.2), and after a no there is a link to follow, or not.
 * A program of this computer is told at once: only its own machine could be sent there.
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
