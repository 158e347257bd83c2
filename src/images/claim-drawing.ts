import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const lookEveryMs = 200
/** A claim this old is abandoned: its process was killed while it drew. */
const abandonedMs = 60_000

/**
 * Draws a picture unless another process on the same folder is drawing it; then it waits for that process.
 *
 * @param claim path of the file whose existence means that a process is drawing
 * @param isDrawn whether the picture exists by now
 * @param signal ends the waiting; the promise then rejects
 * @returns what `draw` made, or undefined when another process drew the picture
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
