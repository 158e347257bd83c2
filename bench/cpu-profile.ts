import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** A profile as `node --cpu-prof` writes it; times are in microseconds. */
const profileSchema = z.object({
  nodes: z.array(z.object({ id: z.int(), callFrame: z.object({ functionName: z.string(), url: z.string() }) })),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.number()),
})
export type CpuProfile = z.infer<typeof profileSchema>

const least = 1
const ofTheEngine: Readonly<Record<string, string>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'native code and waiting for the system',
}

/**
 * To whom a function belongs: a folder of ours, a package, a module of Node.js, or the engine; undefined for idle time.
 */
function ownerOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame'], root: string): string | undefined {
  if (functionName === '(idle)') return undefined
  if (url === '') return ofTheEngine[functionName] ?? `engine, ${functionName}`
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  if (!url.startsWith('file:')) return 'other code'
  const path = fileURLToPath(url)
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
  if (name !== undefined) return name
  return path.startsWith(root) ? path.slice(root.length).split('/').slice(0, 2).join('/') : 'other code'
}

/** Percent of the processor time of all profiled threads by owner, largest first; those below 1 % are summed up. */
export function shareOut(profiles: readonly CpuProfile[], root: string): Record<string, number> {
  const micros = new Map<string, number>()
  for (const { nodes, samples, timeDeltas } of profiles) {
    const owners = new Map(nodes.map(({ id, callFrame }) => [id, ownerOf(callFrame, root)]))
    for (const [at, id] of samples.entries()) {
      const owner = owners.get(id)
      if (owner !== undefined) micros.set(owner, (micros.get(owner) ?? 0) + (timeDeltas[at] ?? 0))
    }
  }
  const all = [...micros.values()].reduce((sum, part) => sum + part, 0)
  const percent = [...micros].map(([owner, part]) => [owner, (100 * part) / all] as const)
  const shown = percent.filter(([, part]) => part >= least).toSorted(([, one], [, other]) => other - one)
  const rest = 100 - shown.reduce((sum, [, part]) => sum + part, 0)
  const rounded = [...shown, ['the rest', rest] as const].map(([owner, part]) => [owner, Math.round(part)] as const)
  return Object.fromEntries(rounded.filter(([, part]) => part > 0))
}

/** Reads all profiles of a folder. */
export const readProfiles = (folder: string): CpuProfile[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => profileSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
