import { home } from './home.ts'
import { kitchen } from './kitchen.ts'
import { machines } from './machines.ts'
import { nature } from './nature.ts'
import type { Motif } from './shape.ts'
import { society } from './society.ts'
import { study } from './study.ts'
import { travel } from './travel.ts'

const all = { ...kitchen, ...study, ...home, ...travel, ...nature, ...machines, ...society }

/** The name of a motif. */
export type MotifName = keyof typeof all

/** All motifs by name. */
export const motifs: Readonly<Record<MotifName, Motif>> = all

const isMotifName = (name: string): name is MotifName => name in motifs

/** The names of all motifs, in the order of their definition. */
export const motifNames: readonly MotifName[] = Object.keys(motifs).filter(isMotifName)
