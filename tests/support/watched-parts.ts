import * as makers from '../../functions/makers.ts'
import * as facilitatorClient from '../../src/payments/facilitator-client.ts'
import * as payments from '../../src/payments/open-payments.ts'

// What `watched-site.ts` puts in the place of the modules imported here.
const { TEST_DEADLINE_MS, TEST_SETTLE_WAIT_MS } = process.env

/** Prints each product that is made. */
export const findMaker: typeof makers.findMaker = (offer, deps) => {
  const make = makers.findMaker(offer, deps)
  return (
    make &&
    ((input, signal) => {
      console.log(`made ${offer.id}`)
      return make(input, signal)
    })
  )
}

/** Waits for the facilitator no longer than the test does. */
export const makeFacilitatorClient: typeof facilitatorClient.makeFacilitatorClient = (options) =>
  facilitatorClient.makeFacilitatorClient({
    ...options,
    ...(TEST_DEADLINE_MS && {
      deadlines: { verifyMs: Number(TEST_DEADLINE_MS), settleMs: Number(TEST_DEADLINE_MS) },
    }),
  })

/** Waits for the chain no longer than the test does. */
export const openPayments: typeof payments.openPayments = (options) =>
  payments.openPayments({ ...options, ...(TEST_SETTLE_WAIT_MS && { settleWaitMs: Number(TEST_SETTLE_WAIT_MS) }) })
