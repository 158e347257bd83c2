import type { CoverTask } from './cover-tasks.ts'
import { openCoverStudio } from './covers/make-cover.ts'

/** Behind everything else, as is the voice that waits for it. */
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
