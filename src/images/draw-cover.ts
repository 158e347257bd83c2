import type { CoverTask } from './cover-tasks.ts'
import { openCoverStudio } from './covers/make-cover.ts'

/** Lowest priority, like the narration that waits for the cover. */
const niceness = 19

/** Draws the picture of a recording, in a process that ends with it. */
export async function drawCover(task: CoverTask): Promise<Uint8Array | undefined> {
  const studio = openCoverStudio({ threads: 1, niceness })
  try {
    const { files } = await studio.makeEditions(task)
    return files.at(-1)?.bytes
  } finally {
    await studio.close()
  }
}
