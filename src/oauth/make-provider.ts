import { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { checkClient } from './check-client.ts'
import type { deriveKeys } from './derive-keys.ts'
import { keepVisitorsHere, type RenderDenial } from './keep-visitors-here.ts'
import type { makeAdapter } from './make-adapter.ts'
import { oauthPaths, operatorScope, toOauthPlaces } from './places.ts'

/** Lifetimes in seconds. */
const lifetimes = { code: 60, access: 15 * 60, signIn: 10 * 60, permission: 30 * 24 * 60 * 60 }

/** The lifetime of a sign-in, in milliseconds. */
export const signInMs = lifetimes.signIn * 1000

interface Options {
  readonly baseUrl: string
  readonly keys: ReturnType<typeof deriveKeys>
  readonly adapter: ReturnType<typeof makeAdapter>
  /** Shows an error to a person when it cannot be sent to the client. */
  readonly renderError: NonNullable<Configuration['renderError']>
  readonly renderDenial: RenderDenial
}

/**
 * The authorization server. It has one account, the operator, and one scope for one resource. Clients are public,
 * register themselves, and prove with PKCE that a code is theirs.
 */
export function makeProvider({ baseUrl, keys, adapter, renderError, renderDenial }: Options): Provider {
  const { resource, resources } = toOauthPlaces(baseUrl)
  const shown = new WeakSet<object>()
  const provider: Provider = new Provider(baseUrl, {
    adapter,
    jwks: { keys: [keys.signing] },
    cookies: {
      keys: [keys.cookies],
      names: { session: 'farthing_session', interaction: 'farthing_sign_in', resume: 'farthing_resume' },
      long: { httpOnly: true, sameSite: 'lax', path: oauthPaths.folder },
      short: { httpOnly: true, sameSite: 'lax', path: oauthPaths.folder },
    },
    routes: {
      authorization: oauthPaths.authorize,
      token: oauthPaths.token,
      registration: oauthPaths.register,
      revocation: oauthPaths.revoke,
      jwks: oauthPaths.jwks,
    },
    interactions: { policy: alwaysAsk(), url: (_ctx, { uid }) => oauthPaths.signIn + uid },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, asked) {
          if (!resources.includes(asked)) throw new errors.InvalidTarget()
          return {
            scope: operatorScope,
            audience: resource,
            accessTokenFormat: 'opaque',
            accessTokenTTL: lifetimes.access,
          }
        },
      },
    },
    responseTypes: ['code'],
    scopes: [operatorScope],
    pkce: { required: () => true },
    clientAuthMethods: ['none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'EdDSA',
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    extraClientMetadata: {
      properties: ['software_id'],
      validator: (_ctx, _key, _value, client) => checkClient(client),
    },
    // Any origin may be a client: its redirect address and PKCE bound what it can do.
    clientBasedCORS: () => true,
    clockTolerance: 0,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    async loadExistingGrant(ctx) {
      const id = ctx.oidc.result?.consent?.grantId
      return id === undefined ? undefined : await provider.Grant.find(id)
    },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    ttl: {
      AccessToken: lifetimes.access,
      AuthorizationCode: lifetimes.code,
      Grant: lifetimes.permission,
      IdToken: lifetimes.access,
      Interaction: lifetimes.signIn,
      // Rotation does not extend a permission.
      RefreshToken: (ctx) => ctx.oidc.entities.RotatedRefreshToken?.remainingTTL ?? lifetimes.permission,
      Session: lifetimes.signIn,
    },
    // Clients may register addresses, but the server never fetches any.
    fetch: () => Promise.reject(new Error('the authorization server fetches nothing')),
    renderError(ctx, out, error) {
      shown.add(ctx)
      return renderError(ctx, out, error)
    },
  })
  provider.use(askForTheOne)
  keepVisitorsHere(provider, { renderError, renderDenial, isShown: (ctx) => shown.has(ctx) })
  // The front sets the address of the client and the scheme in `X-Forwarded-*` headers, and removes such headers of
  // clients.
  provider.proxy = true
  return provider
}

/**
 * Adds the only scope to requests without it: those with no scope (RFC 6749, 3.3) and those with scopes of other
 * servers. The operator is shown what it permits.
 */
async function askForTheOne(ctx: KoaContextWithOIDC, next: () => Promise<unknown>): Promise<void> {
  const { scope = '' } = ctx.query
  if (ctx.path === oauthPaths.authorize && typeof scope === 'string' && !scope.split(' ').includes(operatorScope))
    ctx.query = { ...ctx.query, scope: `${scope} ${operatorScope}`.trim() }
  await next()
}

/** Nobody stays signed in: each permission needs a page and a proof of its own. */
function alwaysAsk() {
  const policy = interactionPolicy.base()
  policy.clear()
  const { Check, Prompt } = interactionPolicy
  policy.add(
    new Prompt(
      { name: 'login', requestable: true },
      new Check('not_proven', 'the operator has to agree', (ctx) => ctx.oidc.result?.consent === undefined),
    ),
  )
  // Accepts `prompt=consent`, which some clients send; consent is always asked for anyway.
  policy.add(new Prompt({ name: 'consent', requestable: true }))
  return policy
}
