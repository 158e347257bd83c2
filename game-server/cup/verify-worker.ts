import { parentPort } from 'node:worker_threads'
import { type Claim, verifyRun } from './verify-run.ts'

parentPort?.on('message', (claim: Claim) => parentPort?.postMessage(verifyRun(claim)))
