import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { makeMirror } from '../http/mirror.ts'
import { mirrorSecretFile } from '../http/mirror-pass.ts'
import { toNodeHandle } from '../http/node-handle.ts'
import { toRawHeaders } from '../http/raw-headers.ts'
import type { NodeHandle, Route } from '../http/route.ts'
import { readSecret } from '../storage/read-secret.ts'

/** Opens the mirror of a program; its secret is created if there is none. */
export const openMirror = (dataDir: string, origin: string) =>
  makeMirror({ secret: readSecret(mirrorSecretFile(resolve(dataDir))), origin, now: Date.now })

/**
 * `/api/mirror` of the site. The front has put the address of the client into `X-Forwarded-For`; everything else is
 * read from the raw headers.
 */
export function makeMirrorRoute({ dataDir, baseUrl }: Pick<Config, 'dataDir' | 'baseUrl'>): Route<NodeHandle> {
  const look = openMirror(dataDir, baseUrl)
  return {
    path: '/api/mirror',
    handlers: {
      GET(req, res, name) {
        const caller = String(req.headers['x-forwarded-for'])
        const asked = { url: req.url ?? '', headers: toRawHeaders(req), caller }
        return toNodeHandle(() => look(asked))(req, res, name)
      },
    },
  }
}
