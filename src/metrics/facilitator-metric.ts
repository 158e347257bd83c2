import { facilitatorOfPart } from '../core/facilitator-part.ts'
import type { NamedFinding } from '../core/finding.ts'
import { makeGauges } from './gauge.ts'
import type { Metric } from './metric.ts'

/** Whether each of several facilitators can be used, by the last findings. Empty where there is only one. */
export const makeFacilitatorMetric = (findings: () => Promise<readonly NamedFinding[]>): Metric =>
  makeGauges(
    {
      name: 'farthing_facilitator_usable',
      help: '1 for each of several facilitators that can be used, 0 for one that another stands in for.',
    },
    'facilitator',
    async () =>
      (await findings()).flatMap(({ name, is }) => {
        const facilitator = facilitatorOfPart(name)
        return facilitator === undefined ? [] : [[facilitator, Number(is === 'ok')] as const]
      }),
  )
