import type { ServerResponse } from 'node:http'
import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import type { OperatorTool } from './operator-access.ts'

/** The options of the sign-in of an installation. */
export interface OauthOptions {
  readonly config: Pick<Config, 'baseUrl' | 'payTo' | 'rpcUrl' | 'limitsLoopback'>
  /** The secret of this installation, from which every key is derived. */
  readonly secret: string
  readonly tools: readonly OperatorTool[]
  /** Shows the page of a printed link where no client is waiting. */
  readonly showLink: (res: ServerResponse, key: string) => void
  readonly log: Log
  readonly now: () => number
}
