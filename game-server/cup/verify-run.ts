import { toPlayerKey } from '../../src/core/player-name.ts'
import { summarizeLife } from '../core/life.ts'
import { replay } from '../core/replay.ts'
import type { Command } from '../core/step.ts'
import { isKnownRules, knownRules } from '../core/world.ts'
import type { Life } from '../protocol/dungeon.ts'
import { maxKeys, type RunFile } from '../protocol/run-file.ts'
import { toCommitment, toDice } from './cup-seed.ts'

/** A log to be replayed. Of the optional fields, those that are present are compared with the result. */
export type Claim = Pick<RunFile, 'rules' | 'seed' | 'player' | 'commands' | 'cup'> &
  Partial<Pick<RunFile, 'hash' | 'checkpoints' | 'life'>> & { name: string }

export type Verdict =
  | { is: 'verified'; hash: string; checkpoints: string[]; life: Life }
  /** `why` is one sentence. */
  | { is: 'refused'; why: string }

/** The judgement of a run in a cup; a damaged log is not held against its player. */
export type Judged = Verdict | { is: 'unreadable'; error: string }

const refuse = (why: string): Verdict => ({ is: 'refused', why })
const commandsPerCheckpoint = 100
const claims = ['score', 'depth', 'turn', 'gold', 'kills', 'hasWon', 'cause', 'kind'] as const

/** The first condition of a cup that a log breaks, checked before it is replayed. */
function findBrokenTerm({ seed, commands, cup }: Claim): string | undefined {
  if (!cup) return undefined
  if (toCommitment(seed) !== cup.commitment) return 'the seed is not the one that was promised before the cup'
  const [first, ...rest] = commands
  if (first?.is !== 'join' || rest.some(({ is }) => is === 'join'))
    return 'a cup is run alone, by the player who began it'
  if (first.dice !== toDice(seed, toPlayerKey(first.name))) return 'the dice are not those of this player'
  if (rest.filter(({ is }) => is === 'key').length > maxKeys) return `a run has ${maxKeys} keys at most`
  return undefined
}

function findDifferentCheckpoint(claimed: readonly string[], found: readonly string[]): string | undefined {
  const at = claimed.findIndex((hash, index) => hash !== found[index])
  if (at < 0)
    return claimed.length === found.length ? undefined : 'the number of checkpoints does not fit the number of commands'
  return `the world is a different one after command ${(at + 1) * commandsPerCheckpoint}`
}

function nameOf(commands: readonly Command[], player: number): Pick<Life, 'name' | 'kind'> | undefined {
  return commands.filter((command) => command.is === 'join')[player - 1]
}

/** Replays a log and compares the claims about it with the result. */
export function verifyRun(claim: Claim): Verdict {
  if (!isKnownRules(claim.rules))
    return refuse(`it was played by rules ${claim.rules}; this copy knows rules ${knownRules.join(' and ')}`)
  const brokenTerm = findBrokenTerm(claim)
  if (brokenTerm !== undefined) return refuse(brokenTerm)
  const owner = nameOf(claim.commands, claim.player)
  if (!owner) return refuse('no player with this number joined')
  if (owner.name !== claim.name) return refuse(`it is the life of ${owner.name} and not of ${claim.name}`)
  const { world, hash, checkpoints } = replay(claim.seed, claim.commands, claim.rules)

  const different = claim.checkpoints && findDifferentCheckpoint(claim.checkpoints, checkpoints)
  if (different !== undefined) return refuse(different)
  if (claim.hash !== undefined && claim.hash !== hash)
    return refuse('the world is a different one after the last command')
  const { isOver, ...found } = summarizeLife(world, claim.player)
  const life: Life = { ...found, name: owner.name, kind: owner.kind, cause: isOver ? found.cause : 'ran out of time' }
  const wrong = claim.life && claims.find((each) => claim.life?.[each] !== life[each])
  if (wrong !== undefined)
    return refuse(`its ${wrong} is ${String(life[wrong])} and not ${String(claim.life?.[wrong])}`)
  return { is: 'verified', hash, checkpoints, life }
}
