import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { type Character, type Characters, rememberCharacters } from '../characters.ts'

const fileSchema = z.record(z.string(), z.object({ name: z.string(), token: z.string() }))

/** Characters that outlive the process, in a file of the user's own: the same name comes back to the same life. */
export function keepCharacters(file: string): Characters {
  const inProcess = rememberCharacters(undefined)
  return {
    current: inProcess.current,
    find: (name) => inProcess.find(name) ?? readAll(file)[name.toLowerCase()],
    keep(requested, character) {
      inProcess.keep(requested, character)
      const all = { ...readAll(file), [requested.toLowerCase()]: character, [character.name.toLowerCase()]: character }
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      // Whole or not at all, even when two programs of the same user write at once.
      const fresh = `${file}.${process.pid}`
      writeFileSync(fresh, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
      renameSync(fresh, file)
    },
  }
}

/** A file that is missing or broken keeps nobody, which costs a name and not the game. */
function readAll(file: string): Record<string, Character> {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return {}
  }
}
