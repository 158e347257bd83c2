import { furtherAdvice } from './further-advice.ts'
import { urgentAdvice } from './urgent-advice.ts'

/** How to mend what the checks find, most urgent things first: the order breaks ties between recommendations. */
export const adviceTable = { ...urgentAdvice, ...furtherAdvice }

export type AdviceId = keyof typeof adviceTable
