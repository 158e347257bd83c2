import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { toProgramEnvironment } from '../config/program-environment.ts'
import { base } from '../core/networks.ts'
import { makeRpc, type Rpc } from './json-rpc.ts'
import { stopWithParent } from './stop-with-parent.ts'

/** A running local chain. */
export interface Chain {
  url: string
  pid: number
  rpc: Rpc
  /** Resolves when the process has ended for whatever reason: with its exit code, or null after a signal. */
  exited: Promise<number | null>
  /** Stops the process and waits until its state is on disk; may be called twice. */
  stop: () => Promise<void>
}

export interface LaunchOptions {
  port: number
  /** The chain id; that of Base when absent. */
  chainId?: number | undefined
  /** The file that keeps the chain between runs; without it the chain is lost when it stops. */
  stateFile?: string | undefined
  /** The block time, as Base has one of 2 s; without it each transaction is mined at once. */
  blockTimeSeconds?: number | undefined
  log?: ((line: string) => void) | undefined
}

/**
 * Why a chain did not start. `taken`: another program listens on the port. `corrupt`: the state file cannot be read.
 * `failed`: any other reason.
 */
export class LaunchError extends Error {
  override readonly name = 'LaunchError'
  readonly is: 'taken' | 'corrupt' | 'failed'
  constructor(is: LaunchError['is'], message: string) {
    super(message)
    this.is = is
  }
}

const startTimeoutMs = 15_000
const stopTimeoutMs = 5_000
/**
 * The number of blocks whose states are kept; without a limit anvil writes old states to the home directory and never
 * removes them.
 */
const rememberedBlocks = 256

/**
 * Starts anvil on a loopback port and waits until it responds.
 *
 * @throws LaunchError when the process ends or does not respond in time
 */
export async function launchAnvil({
  port,
  chainId = base.chainId,
  stateFile,
  blockTimeSeconds,
  log,
}: LaunchOptions): Promise<Chain> {
  const url = `http://127.0.0.1:${port}`
  const origin = `http://${randomUUID()}.invalid`
  const network = ['--host', '127.0.0.1', '--port', `${port}`, '--chain-id', `${chainId}`, '--allow-origin', origin]
  const limits = ['--silent', '--accounts', '0', '--prune-history', `${rememberedBlocks}`]
  const state = stateFile ? ['--state', stateFile, '--state-interval', '1'] : []
  const clock = blockTimeSeconds ? ['--block-time', `${blockTimeSeconds}`] : []
  // Anvil rewrites its state file often and does not set permissions, so the umask makes it private.
  const umask = process.umask(0o077)
  const child = spawn(getAnvilProgram(), [...network, ...limits, ...state, ...clock], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: toProgramEnvironment(process.env),
    // A process group of its own, so that Ctrl-C reaches only us and the chain outlives the payments in flight.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  process.umask(umask)
  const callOffGuard = child.pid === undefined ? () => {} : stopWithParent(child.pid)

  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = `${complaint}${text}`.slice(-4_096)
    log?.(`chain: ${text.trim()}`)
  })
  let isGone = false
  const exited = new Promise<number | null>((resolve) => {
    const end = (code: number | null) => {
      isGone = true
      callOffGuard()
      resolve(code)
    }
    child.on('close', end)
    child.on('error', (error) => {
      complaint = error.message
      end(null)
    })
  })
  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
    await exited
    clearTimeout(timer)
  }

  const probe = makeRpc({ url, origin, timeoutMs: 1_000 })
  const deadlineMs = performance.now() + startTimeoutMs
  while (!(await probe('eth_chainId', []).catch(() => false))) {
    if (isGone) throw toLaunchError(complaint)
    if (performance.now() > deadlineMs) {
      await stop()
      throw new LaunchError('failed', `it did not answer within ${startTimeoutMs / 1000} s`)
    }
    await delay(10)
  }
  return { url, pid: child.pid ?? 0, rpc: makeRpc({ url, origin }), exited, stop }
}

function toLaunchError(complaint: string): LaunchError {
  const reason = complaint.trim().split('\n')[0] || 'it ended without a word'
  if (complaint.includes('Address already in use')) return new LaunchError('taken', reason)
  if (complaint.includes("for '--state")) return new LaunchError('corrupt', reason)
  return new LaunchError('failed', reason)
}

const platforms: Record<string, string> = {
  'linux-x64': 'linux-amd64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-amd64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'win32-amd64',
}

/**
 * Finds the anvil binary inside its platform package. The JavaScript wrapper is not used, because it would be one more
 * process that signals have to pass.
 *
 * @throws Error that names the package to install
 */
function getAnvilProgram(machine = `${process.platform}-${process.arch}`): string {
  const platform = platforms[machine]
  const known = Object.keys(platforms).join(', ')
  if (!platform) throw new Error(`The local chain (anvil) does not exist for ${machine}, only for ${known}`)
  const name = `@foundry-rs/anvil-${platform}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
    const folder = dirname(createRequire(wrapper).resolve(`${name}/package.json`))
    return join(folder, 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
  } catch (cause) {
    throw new Error(
      `The local chain of the sandbox is a development part (${name}) and is not installed: run npm start, which fetches it, or npm ci without --omit`,
      { cause },
    )
  }
}
