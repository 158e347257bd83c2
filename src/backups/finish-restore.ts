import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { restorePlanFile } from '../storage/restore-plan-file.ts'
import { syncFolder } from '../storage/write-atomically.ts'

const planSchema = z.strictObject({
  /** Folder with the new files. */
  staging: z.string(),
  /** Folder for the files that are replaced. */
  aside: z.string(),
  /** Names that are put in place, and that replace those of the same name. */
  comes: z.array(z.string()),
  /** Names that are put aside without a replacement. */
  goes: z.array(z.string()),
})

/** The steps of a restore once everything is prepared; all names are relative to the data folder. */
export type RestorePlan = z.output<typeof planSchema>

/**
 * Carries out the plan of a restore, from wherever it was interrupted. Each name that is put in place passes through
 *
 *     old in place, new staged ──► old aside, new staged ──► old aside, new in place
 *
 * and the state follows from where the files are. While the plan exists, no program opens the databases.
 *
 * @returns the folder of the replaced files, which does not exist when nothing was replaced; undefined when no restore
 * is under way, or its plan was not written yet
 */
export async function finishRestore(dataDir: string): Promise<string | undefined> {
  const file = restorePlanFile(dataDir)
  if (!existsSync(file)) return undefined
  const text = await readFile(file, 'utf8')
  if (text === '') {
    // Where the file system has no hard links, the file is created empty before the plan is written to it.
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
  // Removed when it is empty.
  await rmdir(aside).catch(() => {})
  await rm(file)
  await syncFolder(dataDir)
  return aside
}
