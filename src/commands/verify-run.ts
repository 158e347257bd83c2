// `npm run verify-run -- FILE`: replays a run on this machine, and says whether it ends as it claims.
import { readFile } from 'node:fs/promises'
import { verifyRun } from '../../game-server/cup/verify-run.ts'
import { runFileSchema } from '../../game-server/protocol/run-file.ts'
import { validate } from '../core/validate.ts'

const help = `npm run verify-run -- FILE

Replays a run of the dungeon key by key. After every hundredth key and at the end it compares the world with what the
file says. FILE is the answer of GET /api/cup-runs/{id} or GET /api/replays/{id}; - reads standard input.

Exit codes: 0 verified, 1 refused, 2 not a run file`

async function read(file: string): Promise<string> {
  if (file !== '-') return readFile(file, 'utf8')
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

async function main([file]: readonly string[]): Promise<number> {
  if (file === undefined || file === '--help') {
    console.log(help)
    return file === undefined ? 2 : 0
  }
  let run: unknown
  try {
    run = JSON.parse(await read(file))
  } catch {
    console.error(`${file} cannot be read, or is not JSON`)
    return 2
  }
  const claim = validate(runFileSchema, run)
  if (claim.is === 'wrong') {
    const [fault] = claim.faults
    console.error(`not a run file: /${fault?.path.join('/')} ${fault?.detail}`)
    return 2
  }
  const verdict = verifyRun({ ...claim.value, name: claim.value.life.name })
  if (verdict.is === 'refused') {
    console.log(`refused: ${verdict.why}`)
    return 1
  }
  const { name, score, depth, turn, cause } = verdict.life
  console.log(`verified: ${name}, ${score} points, depth ${depth}, ${turn} turns, ${cause}`)
  console.log(`${claim.value.commands.length} commands end in world ${verdict.hash}`)
  return 0
}

process.exitCode = await main(process.argv.slice(2))
