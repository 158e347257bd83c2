import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import { openOauth } from '../oauth/open-oauth.ts'
import { openOauthDatabase } from '../oauth/open-oauth-database.ts'
import { makeOperatorTools } from '../oauth/operator-tools.ts'
import { openOperatorDoor } from '../operator-pages/operator-door.ts'
import { readSecret } from '../storage/read-secret.ts'
import { openOperatorPages } from './open-operator-pages.ts'

interface Options extends Omit<Parameters<typeof openOperatorPages>[0], 'config' | 'door'> {
  readonly config: Config
  /** The data folder as an absolute path. */
  readonly dataDir: string
  readonly log: Log
}

/**
 * Opens the operator's sign-in, by OAuth for programs and by links for a browser, and the pages and tools behind it.
 */
export async function openOperator({ config, dataDir, log, ...parts }: Options) {
  const { db, jobs } = parts
  const oauthDb = await openOauthDatabase(join(dataDir, 'oauth.db'), config.databaseUrl())
  const oauth = openOauth({
    db: oauthDb,
    config,
    secret: config.secret() ?? readSecret(join(dataDir, 'oauth.key')),
    tools: makeOperatorTools({ db, jobs, now: Date.now }),
    showLink: (res, link) => void door.showLink(res, link),
    log,
    now: Date.now,
  })
  const door = openOperatorDoor({ signIn: oauth.signIn, baseUrl: config.baseUrl, now: Date.now })
  const pages = openOperatorPages({ config, door, ...parts })
  return {
    access: oauth.access,
    routes: [...oauth.routes, ...pages.routes],
    /** Call it after the last request. */
    idle: pages.close,
    /** Call it when nothing uses the database any more. */
    close: (): Promise<void> => oauthDb.destroy(),
  }
}
