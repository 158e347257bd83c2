import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import { findForeign, toOwnerAdvice } from '../storage/private-files.ts'
import { hasCode } from '../storage/write-atomically.ts'
import type { Check } from './check.ts'

/** Whether this user may write to the folder, or create it. */
async function mayWrite(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch (error) {
    const parent = dirname(folder)
    return hasCode(error, 'ENOENT') && parent !== folder && (await mayWrite(parent))
  }
}

/** Checks, before anything is written, that this user may write to the data folder and to our files in it. */
export const makeFolderCheck = (folder: string): Check => ({
  name: 'folder',
  everyMs: 60_000,
  async run() {
    if (await mayWrite(folder)) {
      const foreign = await findForeign(folder)
      if (foreign.length === 0) return { is: 'ok', sentence: 'The data folder can be written to, or created.' }
      const sentence = `In the data folder this user may not use ${foreign.join(', ')}: another user ran a program there.`
      const advice = toOwnerAdvice(folder)
      return { is: 'failure', sentence, advice: `${advice[0]?.toUpperCase()}${advice.slice(1)}.` }
    }
    return {
      is: 'failure',
      sentence: 'This user cannot write to the data folder.',
      advice: 'Set DATA_DIR to a folder that belongs to the user that the shop runs as, and run this as that user.',
    }
  },
})
