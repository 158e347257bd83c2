import type { IncomingMessage, ServerResponse } from 'node:http'
import { readTarget, type Target } from './canonical-path.ts'
import type { SendProblem } from './send-problem.ts'

/** The methods that the programs support at all, whatever the path. */
export const allow = 'GET, HEAD, POST, OPTIONS'

/** Reads the target of a request. Undefined when an error was sent already, because no route can have that target. */
export function takeTarget(
  req: IncomingMessage,
  res: ServerResponse,
  sendProblem: SendProblem,
): Exclude<Target, { is: 'absolute' | 'too-long' }> | undefined {
  const target = readTarget(req.url ?? '')
  if (req.method === 'TRACE') sendProblem(req, res, 'method-not-allowed', { headers: { allow } })
  else if (target.is === 'absolute') sendProblem(req, res, 400, { detail: 'Send the path alone as the request target' })
  else if (target.is === 'too-long')
    sendProblem(req, res, 414, { detail: 'A path with its query may have at most 8192 characters' })
  else return target
  return undefined
}
