import { z } from 'zod'
import { killPoints } from './kill-points.ts'

const point = z.enum(killPoints)

/** Orders of a test to a site that is going to die. */
export const siteOrder = z.discriminatedUnion('is', [
  /** Opens the site on a data folder. Its products grow by these sizes in turn, filled with random bytes. */
  z.object({ is: z.literal('open'), dataDir: z.string(), extraBytes: z.array(z.number()).min(1) }),
  /** Makes it kill (or freeze) itself when it passes this point for the nth time. */
  z.object({ is: z.literal('arm'), point, passes: z.int().min(1), signal: z.enum(['SIGKILL', 'SIGSTOP']) }),
])

/** Reports of such a site to the test. */
export const siteReport = z.discriminatedUnion('is', [
  z.object({ is: z.literal('loaded') }),
  z.object({ is: z.literal('listening'), port: z.number() }),
  z.object({ is: z.literal('armed') }),
  z.object({ is: z.literal('made') }),
  /** Sent before it freezes; a killed site sends nothing. */
  z.object({ is: z.literal('frozen') }),
  /** It runs again. */
  z.object({ is: z.literal('thawed') }),
])

export type SiteOrder = z.infer<typeof siteOrder>
export type SiteReport = z.infer<typeof siteReport>
