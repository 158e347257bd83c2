import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const lookEveryMs = 200
/** Whoever draws for so long was ended over it. */
const abandonedMs = 60_000

/**
 * Draws what no other program over the same folder is drawing. One that is being drawn elsewhere is waited for.
 *
 * @param claim file that stands for the right to draw
 * @param isDrawn looks whether it is there by now
 * @param signal ends the waiting, which then rejects
 * @returns what `draw` made, or nothing when somebody else drew it
 */
export async function claimDrawing<Made>(
  claim: string,
  isDrawn: () => boolean,
  draw: () => Promise<Made>,
  signal?: AbortSignal,
): Promise<Made | undefined> {
  await mkdir(dirname(claim), { recursive: true })
  while (!isDrawn()) {
    if (await take(claim)) {
      try {
        return await draw()
      } finally {
        await rm(claim, { force: true })
      }
    }
    await delay(lookEveryMs, undefined, { signal })
  }
  return undefined
}

async function take(claim: string): Promise<boolean> {
  try {
    await writeFile(claim, '', { flag: 'wx' })
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const taken = await stat(claim).catch(() => undefined)
    if (taken && Date.now() - taken.mtimeMs > abandonedMs) await rm(claim, { force: true })
    return false
  }
}
