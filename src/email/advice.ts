/** What an alarm means and what to do, in the words of "Alarms" in docs/day-two.md. */
interface Advice {
  readonly meaning: string
  readonly todo: string
}

const runJob = 'shop node --env-file=/etc/farthing/shop.env src/commands/job.ts'

/** By what happened; a doubted payment by its doubt. */
export const advice = {
  'not-seen': {
    meaning: "delivered on the facilitator's word, the chain has not confirmed yet",
    todo: `The job that reconciles looks again. ${runJob} reconcile does it now.`,
  },
  reversed: {
    meaning: 'a reorganisation took a payment back',
    todo: 'It is settled again while it can be. If it stays, the product was given away; there is nothing to do.',
  },
  'job.failed': {
    meaning: 'a backup, narration, publishing or upkeep was not finished',
    todo: `It runs again when it is due next. ${runJob} NAME runs it now and says what is wrong.`,
  },
  'gas.low': { meaning: 'the ether ends', todo: 'Send some to the address in the log.' },
} as const satisfies Record<string, Advice>
