// Draws pictures with the embedded engine for its parent process, and reports what each kind takes. In the process of
// the bench, the garbage collector would also scan the memory that other rows left there.

import { z } from 'zod'
import { coverStyles } from '../src/core/cover-styles.ts'
import { sizeOf } from '../src/images/covers/cover.ts'
import { cover } from '../src/images/covers/cover-worker.ts'

const taskSchema = z.object({
  style: z.enum(coverStyles),
  aspectRatio: z.enum(['16:9', '1:1', '4:3']),
  titles: z.array(z.string()).min(1),
})

/** Processor time of all threads of this process in ms, including those of libvips. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Mean processor time of the titles, in ms. */
async function draw({ style, aspectRatio, titles }: z.output<typeof taskSchema>): Promise<number> {
  const [width, height] = sizeOf({ aspectRatio })
  const from = processorMs()
  for (const title of titles)
    await cover({ title, excerpt: '', style, width, height, lettering: { title }, attempt: 0 })
  return (processorMs() - from) / titles.length
}

process.on('message', (message) => {
  draw(taskSchema.parse(message)).then(
    (ms) => process.send?.({ ms }),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit())
