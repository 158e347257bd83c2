import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { hasCode } from '../storage/write-atomically.ts'

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
  const owner = randomUUID()
  while (!isDrawn()) {
    if (await take(claim, owner)) {
      try {
        return await draw()
      } finally {
        await release(claim, owner)
      }
    }
    await delay(lookEveryMs, undefined, { signal })
  }
  return undefined
}

async function take(claim: string, owner: string): Promise<boolean> {
  try {
    await writeFile(claim, owner, { flag: 'wx' })
    return true
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    const taken = await look(claim)
    if (taken && Date.now() - taken.since > abandonedMs) await release(claim, taken.owner)
    return false
  }
}

/** Removes a claim, unless another process has taken its place meanwhile. */
async function release(claim: string, owner: string): Promise<void> {
  if ((await look(claim))?.owner === owner) await rm(claim, { force: true })
}

/** Who has a claim, and since when (ms since 1970); undefined when nobody has. */
async function look(claim: string): Promise<{ owner: string; since: number } | undefined> {
  const file = await open(claim).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error
  })
  if (!file) return undefined
  try {
    return { owner: await file.readFile('utf8'), since: (await file.stat()).mtimeMs }
  } finally {
    await file.close()
  }
}
