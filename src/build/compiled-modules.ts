import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** About 40 MB. The modules of each bundle are new files, because its folder is another in each build. */
const mostFiles = 6_000

/**
 * The folder in which Node.js keeps the compiled modules of build programs (`NODE_COMPILE_CACHE`), so that they start
 * in two thirds of the time. It is emptied when it has become large; a program that uses it meanwhile compiles its
 * modules itself.
 *
 * @param root the folder of the repository
 * @param maxFiles above how many files it is emptied
 */
export async function openCompiledModules(root: string, maxFiles = mostFiles): Promise<string> {
  const folder = join(root, '.cache/compiled')
  const count = existsSync(folder) ? readdirSync(folder, { recursive: true }).length : 0
  if (count > maxFiles) await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  return folder
}
