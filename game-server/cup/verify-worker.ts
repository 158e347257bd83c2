import { parentPort } from 'node:worker_threads'
import { toLogText } from '../../src/core/log.ts'
import { type Claim, type Judged, verifyRun } from './verify-run.ts'

/** What the rules cannot live again says nothing against its player. */
function judge(claim: Claim): Judged {
  try {
    return verifyRun(claim)
  } catch (error) {
    return { is: 'unreadable', error: toLogText(error) }
  }
}

parentPort?.on('message', (claim: Claim) => parentPort?.postMessage(judge(claim)))
