import type { PaymentMeters } from '../meters.ts'
import type { Payment, Requirements } from '../wire/payment.ts'
import type { Facilitator } from './facilitator-client.ts'

/** The same facilitator, which reports each answer and its duration to `asked` under `name`. */
export function timeFacilitator(facilitator: Facilitator, name: string, asked: PaymentMeters['asked']): Facilitator {
  const timed =
    <Answer extends { is: string }>(
      operation: 'verify' | 'settle',
      ask: (payment: Payment, terms: Requirements) => Promise<Answer>,
    ) =>
    async (payment: Payment, terms: Requirements): Promise<Answer> => {
      const from = performance.now()
      const answer = await ask(payment, terms)
      asked(name, operation, answer.is, (performance.now() - from) / 1000)
      return answer
    }
  return {
    ...facilitator,
    verify: timed('verify', facilitator.verify),
    settle: timed('settle', facilitator.settle),
  }
}
