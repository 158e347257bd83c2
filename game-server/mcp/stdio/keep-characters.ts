import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { type Character, type Characters, rememberCharacters } from '../characters.ts'

const fileSchema = z.record(z.string(), z.object({ name: z.string(), token: z.string() }))

/** Changing the file takes milliseconds, so a lock that is older was left by a process that died. */
const longestTurnMs = 2000
const askAgainMs = 5

/**
 * Characters that are also kept in a file in the user's home folder, so that the same name continues the same life in
 * a later process. If the file cannot be written, play goes on: the answer to a join also has the token.
 */
export function keepCharacters(file: string): Characters {
  const inProcess = rememberCharacters(undefined)
  return {
    current: inProcess.current,
    hasPlayed: inProcess.hasPlayed,
    notePlay: inProcess.notePlay,
    find: (name) => inProcess.find(name) ?? new Map(Object.entries(readAll(file))).get(name.toLowerCase()),
    keep(requested, character) {
      inProcess.keep(requested, character)
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        inTurn(`${file}.lock`, () => {
          const own = { [requested.toLowerCase()]: character, [character.name.toLowerCase()]: character }
          writeAll(file, { ...readAll(file), ...own })
        })
      } catch (error) {
        console.error(
          `dungeon-mcp: the token of ${character.name} could not be saved, so this character is lost when the program ends: ${String(error)}`,
        )
      }
    },
  }
}

/** Runs `change` under a lock, so that two processes of the user do not overwrite each other's characters. */
function inTurn(lock: string, change: () => void): void {
  const until = performance.now() + longestTurnMs
  while (!tryToLock(lock) && performance.now() < until) waitMs(askAgainMs)
  try {
    change()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

function tryToLock(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

const waitMs = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** Writes the file atomically. */
function writeAll(file: string, all: Readonly<Record<string, Character>>): void {
  const fresh = `${file}.${process.pid}`
  try {
    writeFileSync(fresh, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
    renameSync(fresh, file)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

/** The characters in the file; none if it is missing or damaged, because a player can still join under a new name. */
function readAll(file: string): Record<string, Character> {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return {}
  }
}
