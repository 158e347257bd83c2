import {
  allFacilitators,
  type FacilitatorChoice,
  type FacilitatorChoices,
  facilitatorName,
} from '../config/facilitators.ts'
import { base, type Network } from '../core/networks.ts'
import { type BreakerWord, makeCircuitBreaker } from '../payments/facilitator/circuit-breaker.ts'
import {
  type Facilitator,
  type FacilitatorOptions,
  makeFacilitatorClient,
} from '../payments/facilitator/facilitator-client.ts'
import { makeFacilitatorList } from '../payments/facilitator/facilitator-list.ts'
import { timeFacilitator } from '../payments/facilitator/time-facilitator.ts'
import { toFacilitatorAddress } from '../payments/facilitator/to-facilitator-address.ts'
import { watchFitness } from '../payments/facilitator/watch-fitness.ts'
import { noMeters, type PaymentMeters } from '../payments/meters.ts'
import type { Siblings } from '../storage/postgres/open-siblings.ts'

export interface FacilitatorUse extends Partial<Pick<PaymentMeters, 'asked'>> {
  /** The network; Base when absent. */
  readonly network?: Network
  /** The other programs on the same database, which use the same facilitators. */
  readonly siblings?: Pick<Siblings, 'tell' | 'on'> | undefined
  /** Overrides for tests, in milliseconds. */
  readonly deadlines?: FacilitatorOptions['deadlines']
}

/** The breaker of a facilitator opens after this many failures; where another can take over, one is enough. */
const alone = { failures: 5, windowMs: 30_000, restMs: 10_000 }
const amongSeveral = { failures: 1, windowMs: 30_000, restMs: 30_000 }

/** Listens to what sibling programs report about a breaker; unknown reports, as of another version, are ignored. */
const hearWords = ({ on }: Pick<Siblings, 'on'>, topic: string, listener: (word: BreakerWord) => void): void =>
  on(topic, (fact) => {
    if (fact === 'failed' || fact === 'down') listener(fact)
  })

/** Opens the facilitators of one network, each behind a circuit breaker. */
export function openFacilitator(
  config: FacilitatorChoices,
  { network = base, asked = noMeters.asked, siblings, deadlines }: FacilitatorUse = {},
): Facilitator {
  const choices = allFacilitators(config)
  const prefix = network.id === base.id ? '' : `${network.slug} `
  const limits = choices.length > 1 ? amongSeveral : alone
  // A monotonic clock: if the system clock were set back, a pause of seconds would last for hours.
  const ticks = () => performance.now()
  const open = (choice: FacilitatorChoice): Facilitator => {
    const name = prefix + facilitatorName(choice)
    const topic = `facilitator ${name}`
    const breaker = makeCircuitBreaker(limits, ticks, (word) => siblings?.tell(topic, word))
    const onWord = siblings && ((listener: (word: BreakerWord) => void) => hearWords(siblings, topic, listener))
    const client = makeFacilitatorClient({ ...toFacilitatorAddress(choice), breaker, onWord, deadlines })
    return timeFacilitator(client, name, asked)
  }
  if (choices.length === 1) return open(config.facilitator)
  const members = choices.map((choice) => {
    const isFit = watchFitness(toFacilitatorAddress(choice), network.id, ticks)
    return { facilitator: open(choice), isFit }
  })
  return makeFacilitatorList(members, ticks)
}
