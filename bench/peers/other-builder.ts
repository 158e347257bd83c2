import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** Output folder of a build, within the folder of the site. */
export const outFolder = '.build'

/** A builder other than Astro that makes a page per post and a list of them. */
export interface OtherBuilder {
  /** Extension of the posts in `content/posts`. */
  readonly extension: 'md' | 'mdx'
  /** Writes such a site without posts into a folder. */
  readonly write: (folder: string) => void
  /** Builds it; throws with what the program said when that fails. */
  readonly build: (folder: string) => Promise<void>
}

/** Writes files, given as texts by their paths, into a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const run = promisify(execFile)
const maxMs = 60 * 60 * 1000

/** Runs a builder in the folder of its site, as in production; throws with what it said when it fails. */
export async function runBuilder(program: string, args: readonly string[], folder: string): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' }
  await run(program, args, { cwd: folder, env, timeout: maxMs, maxBuffer: 64 * 1024 * 1024 })
}
