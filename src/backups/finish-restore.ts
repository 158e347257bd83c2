import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { restorePlanFile } from '../storage/restore-plan-file.ts'
import { syncFolder } from '../storage/write-atomically.ts'

const planSchema = z.strictObject({
  /** Folder of what comes. */
  staging: z.string(),
  /** Folder of what was there. */
  aside: z.string(),
  comes: z.array(z.string()),
  goes: z.array(z.string()),
})

/** What a restore does once everything is ready; all names are of the data folder. */
export type RestorePlan = z.output<typeof planSchema>

/**
 * Carries out the plan of a restore, from wherever it was cut off. Each name that comes passes through
 *
 *     old in place, new staged ──► old aside, new staged ──► old aside, new in place
 *
 * and which of the three it is shows in where the files are. Until the plan is gone, no program opens the databases.
 *
 * @returns the folder that holds what was replaced, which is not there when there was nothing; undefined when no
 * restore is under way, or none that has begun
 */
export async function finishRestore(dataDir: string): Promise<string | undefined> {
  const file = restorePlanFile(dataDir)
  if (!existsSync(file)) return undefined
  const text = await readFile(file, 'utf8')
  if (text === '') {
    // Where the file system has no links, its name is taken before the plan is there.
    await rm(file)
    return undefined
  }
  const plan = planSchema.parse(JSON.parse(text))
  const staging = join(dataDir, plan.staging)
  const aside = join(dataDir, plan.aside)
  await mkdir(aside, { recursive: true, mode: 0o700 })
  const putAside = async (name: string) => {
    if (existsSync(join(dataDir, name))) await rename(join(dataDir, name), join(aside, name))
  }
  for (const name of plan.goes) await putAside(name)
  for (const name of plan.comes) {
    if (!existsSync(join(staging, name))) continue
    await putAside(name)
    await rename(join(staging, name), join(dataDir, name))
  }
  await syncFolder(aside)
  await syncFolder(dataDir)
  await rm(staging, { recursive: true, force: true })
  // With nothing in it, it says nothing.
  await rmdir(aside).catch(() => {})
  await rm(file)
  await syncFolder(dataDir)
  return aside
}
