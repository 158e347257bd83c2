import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { splitPrograms } from '../../src/discovery/install/split-programs.ts'

/**
 * Installs a skill as its buyers do: its programs in a folder, with the packages that they import.
 *
 * @returns the folder, and the remaining text for the agent
 */
export function installSkill(slug: string, change = (text: string) => text): { folder: string; text: string } {
  const folder = mkdtempSync(join(tmpdir(), `farthing-skill-${slug}-`))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const input = change(readFileSync(`content/skills/${slug}/SKILL.md`, 'utf8'))
  const text = execFileSync('sh', ['-c', 'awk "$0"', splitPrograms], {
    env: { ...process.env, folder },
    input,
    encoding: 'utf8',
  })
  return { folder, text }
}

/** The shell commands in the text of a skill, block by block. */
export const commandsOf = (slug: string, change = (text: string) => text): string[] =>
  [...installSkill(slug, change).text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, command = '']) => command)
