import { join, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { makeRequestSignatures } from '../fetching/request-signatures.ts'
import { toNodeHandle } from '../http/node-handle.ts'
import type { NodeHandle, Route } from '../http/route.ts'
import { readSecret } from '../storage/read-secret.ts'

/** Opens the signing of this site's outgoing requests; the key is created if there is none. */
export const openRequestSignatures = ({ secret, dataDir, baseUrl }: Pick<Config, 'secret' | 'dataDir' | 'baseUrl'>) =>
  makeRequestSignatures({
    secret: secret() ?? readSecret(join(resolve(dataDir), 'requests.key')),
    agent: baseUrl,
    now: Date.now,
  })

/** The route at which others find the public key of these signatures. */
export const makeSignaturesRoute = (signatures: ReturnType<typeof openRequestSignatures>): Route<NodeHandle> => ({
  path: '/.well-known/http-message-signatures-directory',
  handlers: { GET: toNodeHandle(() => signatures.directory()) },
})
