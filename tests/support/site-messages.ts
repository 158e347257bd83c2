import { z } from 'zod'
import { killPoints } from './kill-points.ts'

const point = z.enum(killPoints)

/** What a test tells a site that is to die. */
export const siteOrder = z.discriminatedUnion('is', [
  /** Opens the site on a data folder. Its products grow by these sizes in turn, of random bytes. */
  z.object({ is: z.literal('open'), dataDir: z.string(), extraBytes: z.array(z.number()).min(1) }),
  /** Kills (or freezes) itself when it comes by this point for the given time. */
  z.object({ is: z.literal('arm'), point, passes: z.int().min(1), signal: z.enum(['SIGKILL', 'SIGSTOP']) }),
])

/** What such a site tells the test. */
export const siteReport = z.discriminatedUnion('is', [
  z.object({ is: z.literal('loaded') }),
  z.object({ is: z.literal('listening'), port: z.number() }),
  z.object({ is: z.literal('armed') }),
  z.object({ is: z.literal('made') }),
  /** Said before it freezes; who is killed says nothing. */
  z.object({ is: z.literal('frozen') }),
  /** It goes on. */
  z.object({ is: z.literal('thawed') }),
])

export type SiteOrder = z.infer<typeof siteOrder>
export type SiteReport = z.infer<typeof siteReport>
