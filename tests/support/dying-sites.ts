import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { bundleProgram } from './bundle-program.ts'
import type { KillPoint } from './kill-points.ts'
import { testBaseUrl, testBuild } from './running-site.ts'
import { type SiteOrder, type SiteReport, siteReport } from './site-messages.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
let bundled: Promise<string> | undefined

/** A site that a test can kill or freeze at a chosen point. */
export interface DyingSite {
  readonly port: number
  /** The number of products that it has made. */
  made: () => number
  output: () => string
  /** Resolves when the site has received the order to die or freeze when it passes this point for the nth time. */
  arm: (point: KillPoint, options?: { passes?: number; signal?: 'SIGKILL' | 'SIGSTOP' }) => Promise<void>
  /** Resolves when the site is frozen at the point. */
  frozen: () => Promise<void>
  /** Continues the site; resolves when it runs again. */
  thaw: () => Promise<void>
  kill: (signal?: NodeJS.Signals) => Promise<void>
  isGone: () => boolean
  /** Its exit code once it is gone; null after a signal. */
  gone: Promise<number | null>
  pid: number
}

/** A site program that has loaded everything and waits for a data folder to open. */
export interface LoadedSite {
  open: (dataDir: string, extraBytes?: readonly number[]) => Promise<DyingSite>
  kill: () => Promise<void>
}

/** Starts `tests/crash/dying-site.ts` before it is needed, because loading takes most of the start time. */
export async function loadDyingSite(
  money: { facilitatorUrl: string; rpcUrl: string },
  env: Readonly<Record<string, string>> = {},
): Promise<LoadedSite> {
  bundled ??= bundleProgram('tests/crash/dying-site.ts')
  const child = spawn(process.execPath, [await bundled, testBuild()], {
    cwd: root,
    env: {
      ...process.env,
      BASE_URL: testBaseUrl,
      PORT: '0',
      FACILITATOR_URL: money.facilitatorUrl,
      RPC_URL: money.rpcUrl,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  const read = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)

  let made = 0
  const heard: SiteReport[] = []
  const listeners = new Set<() => void>()
  child.on('message', (message) => {
    const report = siteReport.parse(message)
    if (report.is === 'made') made++
    else heard.push(report)
    for (const listener of listeners) listener()
  })
  const gone = once(child, 'exit').then(([code]) => {
    for (const listener of listeners) listener()
    return typeof code === 'number' ? code : null
  })
  const isGone = () => child.exitCode !== null || child.signalCode !== null

  /** Waits for the next report of this kind and removes it from the queue. */
  const hear = <Is extends SiteReport['is']>(is: Is): Promise<Extract<SiteReport, { is: Is }>> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const at = heard.findIndex((report) => report.is === is)
        const [report] = at < 0 ? [] : heard.splice(at, 1)
        if (isReport(report, is)) resolve(report)
        else if (isGone()) reject(new Error(`the site ended before it was ${is}: ${output}`))
        else return
        listeners.delete(look)
      }
      listeners.add(look)
      look()
    })
  const order = (what: SiteOrder): void => void child.send(what)
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    if (!isGone()) child.kill(signal)
    await gone
  }

  await hear('loaded')
  return {
    kill,
    async open(dataDir, extraBytes = [0]) {
      order({ is: 'open', dataDir, extraBytes: [...extraBytes] })
      const { port } = await hear('listening')
      return {
        port,
        pid: child.pid ?? 0,
        made: () => made,
        output: () => output,
        async arm(point, { passes = 1, signal = 'SIGKILL' } = {}) {
          order({ is: 'arm', point, passes, signal })
          await hear('armed')
        },
        frozen: async () => void (await hear('frozen')),
        async thaw() {
          // The report comes shortly before the stop, and a SIGCONT before that is lost, so it is sent repeatedly.
          const waking = setInterval(() => child.kill('SIGCONT'), 20)
          child.kill('SIGCONT')
          await hear('thawed').finally(() => clearInterval(waking))
        },
        kill,
        isGone,
        gone,
      }
    },
  }
}

const isReport = <Is extends SiteReport['is']>(
  report: SiteReport | undefined,
  is: Is,
): report is Extract<SiteReport, { is: Is }> => report?.is === is
