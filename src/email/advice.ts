/** What an alarm means and what to do, in the words of "Alarms" in docs/day-two.md. */
interface Advice {
  readonly meaning: string
  readonly todo: string
}

const runJob = 'shop node --env-file=/etc/farthing/shop.env src/commands/job.ts'

/** By event; for doubted payments by the kind of doubt. */
export const advice = {
  'not-seen': {
    meaning: "delivered on the facilitator's word; the chain has not confirmed it yet",
    todo: `The reconcile job checks again. ${runJob} reconcile does it now.`,
  },
  reversed: {
    meaning: 'a reorganisation took a payment back',
    todo: 'It is settled again if that is still possible. If it is not, the product was given away; there is nothing you can do.',
  },
  'job.failed': {
    meaning: 'a backup, narration, publication or other job did not finish',
    todo: `It runs again at its next time. ${runJob} NAME runs it now and says what is wrong.`,
  },
  'gas.low': { meaning: 'the gas wallet is running out of ether', todo: 'Send some to the address in the log.' },
} as const satisfies Record<string, Advice>
