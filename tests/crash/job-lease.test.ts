import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { figure, limitMs } from '../support/figures.ts'

const program = fileURLToPath(new URL('job-worker.ts', import.meta.url))
const kills = figure(6, 60)

it(`a job runs in only one of several processes at a time, while they are killed (${kills} times)`, {
  timeout: limitMs(600_000, 600_000),
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-job-'))
  const log = join(folder, 'log')
  const start = () => spawn(process.execPath, [program, folder, log], { stdio: 'inherit' })
  const linesOf = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])
  const grows = async (by: number) => {
    for (const from = linesOf().length; linesOf().length < from + by; ) await wait(20)
  }
  const end = async (child: ChildProcess) => {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  const workers = [start(), start(), start()]
  const killed = new Set<string>()
  for (let kill = 0; kill < kills; kill++) {
    await grows(10)
    // Kills the process that runs the job now, if it can be found.
    const holder = linesOf().at(-1)?.split(' ')[1]
    const at = workers.findIndex(({ pid }) => String(pid) === holder)
    const [victim] = workers.splice(Math.max(at, 0), 1, start())
    if (victim) {
      await end(victim)
      killed.add(String(victim.pid))
    }
  }
  await grows(10)
  await Promise.all(workers.map(end))

  let running: string | undefined
  const ran = new Set<string>()
  for (const line of linesOf()) {
    const [what, pid = ''] = line.split(' ')
    if (what === 'begin') {
      // Only a killed process leaves a run without an end.
      if (running !== undefined) expect(killed).toContain(running)
      running = pid
      ran.add(pid)
    } else {
      expect(pid).toBe(running)
      running = undefined
    }
  }
  expect(ran.size).toBeGreaterThan(2)
  rmSync(folder, { recursive: true })
})
