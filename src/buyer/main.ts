import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openBoughtRecords } from './bought-records.ts'
import { checkOutput, deliver } from './deliver.ts'
import { findKey, isLoopback } from './find-key.ts'
import { toExitCode } from './outcome.ts'
import { parseJson } from './parse-json.ts'
import { payFor } from './pay-for.ts'
import { openPendingPurchases, PurchaseRecordError } from './pending-purchases.ts'
import { type Arguments, readArguments } from './read-arguments.ts'
import { toJson, toLines } from './report.ts'
import type { Order } from './send-request.ts'
import { makeSigner } from './sign-payment.ts'
import { UsageError, usage } from './usage.ts'
import { verifyFiles } from './verify-files.ts'

const say = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

async function main(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (argv[0] === 'verify') {
    const found = await verifyFiles(argv.slice(1))
    for (const line of found.lines) process.stdout.write(`${line}\n`)
    return found.isProven ? 0 : 6
  }
  const read = readArguments(argv, env.MAX_USD)
  if (read === 'help') {
    process.stdout.write(usage)
    return 0
  }
  await checkOutput(read.output)
  const order: Order = { method: read.method, url: read.url, body: await readBody(read.body) }
  if (read.url.protocol === 'http:' && !isLoopback(read.url))
    say('warning: this is plain http, so anyone between you and the shop can put their own wallet into the terms')
  const outcome = await payFor(order, read, {
    fetch,
    now: Date.now,
    sleep: (ms) => setTimeout(ms),
    say,
    purchases: openPendingPurchases(join(stateFolder(env), 'farthing', 'purchases')),
    bought: openBoughtRecords(join(stateFolder(env), 'farthing', 'bought')),
    findSigner: () => findSigner(read, env),
    deliver: (product) => deliver(product, { output: read.output, json: read.json, stdout: process.stdout }),
  })
  for (const line of toLines(outcome, order)) say(line)
  if (read.json) process.stdout.write(`${toJson(outcome, order)}\n`)
  return toExitCode(outcome)
}

const stateFolder = (env: NodeJS.ProcessEnv): string => env.XDG_STATE_HOME || join(homedir(), '.local', 'state')

async function readBody(body: string | undefined): Promise<Order['body']> {
  if (body === undefined) return undefined
  const bytes = body.startsWith('@') ? await readBodyFile(body.slice(1)) : Buffer.from(body)
  if (parseJson(bytes) === undefined)
    throw new UsageError(`${body.startsWith('@') ? `-d ${body}` : 'the text after -d'} is not JSON`)
  return new Uint8Array(bytes)
}

async function readBodyFile(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch {
    throw new UsageError(`-d @${path} cannot be read`)
  }
}

async function findSigner({ keyFile, url }: Arguments, env: NodeJS.ProcessEnv) {
  const sandboxFile = join(env.DATA_DIR || '.data', 'sandbox.json')
  const key = await findKey({ keyFile, environment: env.FARTHING_PRIVATE_KEY, sandboxFile, url })
  if (key?.from === 'sandbox')
    say(
      env.FARTHING_PRIVATE_KEY
        ? "simulated money: the sandbox's own wallet pays, and FARTHING_PRIVATE_KEY is left alone"
        : "simulated money: the sandbox's own wallet pays",
    )
  return key && makeSigner(key.privateKey)
}

process.exitCode = await main(process.argv.slice(2), process.env).catch((error: unknown) => {
  if (error instanceof UsageError) {
    say(`buy: ${error.message}; --help shows how`)
    return 64
  }
  if (error instanceof PurchaseRecordError) {
    say(`buy: ${error.message}; nothing was signed or sent by this run`)
    return 1
  }
  say(`buy: a bug stopped this program: ${error instanceof Error ? error.stack : String(error)}`)
  say('what it signed before is kept; run the same command again to go on with it')
  return 70
})
