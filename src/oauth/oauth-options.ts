import type { ServerResponse } from 'node:http'
import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import type { OperatorTool } from './operator-access.ts'

/** What the sign-in of this installation is made with. */
export interface OauthOptions {
  readonly config: Pick<Config, 'baseUrl' | 'payTo' | 'rpcUrl' | 'limitsLoopback'>
  /** Of this installation; every key is derived from it. */
  readonly secret: string
  readonly tools: readonly OperatorTool[]
  /** What a printed link shows where no program waits. */
  readonly showLink: (res: ServerResponse, key: string) => void
  readonly log: Log
  readonly now: () => number
}
