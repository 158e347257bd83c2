import { parentPort } from 'node:worker_threads'
import { toLogText } from '../../src/core/log.ts'
import { type Claim, type Judged, verifyRun } from './verify-run.ts'

/** A log on which the replay throws counts as damaged, which is not held against its player. */
function judge(claim: Claim): Judged {
  try {
    return verifyRun(claim)
  } catch (error) {
    return { is: 'unreadable', error: toLogText(error) }
  }
}

parentPort?.on('message', (claim: Claim) => parentPort?.postMessage(judge(claim)))
