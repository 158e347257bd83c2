import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** Where a site is built to, in its own folder. */
export const outFolder = '.build'

/** A program that is not Astro's and makes a page per post and a list of them. */
export interface OtherBuilder {
  /** Of the files in `content/posts` that it takes for posts. */
  readonly extension: 'md' | 'mdx'
  /** Writes such a site without posts into a folder. */
  readonly write: (folder: string) => void
  /** Builds it; throws with what the program said when that fails. */
  readonly build: (folder: string) => Promise<void>
}

/** Writes texts by their names below a folder. */
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
