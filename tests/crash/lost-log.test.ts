import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { insist, signForCatalog } from '../support/patient-buyer.ts'
import { startSite } from '../support/running-site.ts'
import { type SmallDisk, smallDisks } from '../support/small-disk.ts'

const program = fileURLToPath(new URL('talking-program.ts', import.meta.url))
let money: RunningMoney
beforeAll(async () => {
  money = await startMoney()
})
afterAll(() => money.stop())

/** Makes the program log a note. @throws Error when that ends the program */
async function say(child: ChildProcess, note: string): Promise<void> {
  const ended = once(child, 'exit').then(() =>
    Promise.reject(new Error(`the program ended when it logged ${note.slice(0, 20)}`)),
  )
  child.send(note)
  await Promise.race([once(child, 'message'), ended])
}

/** Starts the program with a log file on the disk. */
function startTalking(disk: SmallDisk) {
  const file = join(disk.folder, 'site.log')
  const output = openSync(file, 'a')
  const child = spawn(process.execPath, [program], { stdio: ['ignore', output, 'inherit', 'ipc'] })
  closeSync(output)
  onTestFinished(() => void child.kill('SIGKILL'))
  const readNotes = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line).note)
  return { child, pid: child.pid ?? 0, readNotes }
}

it.each(smallDisks)(
  'a program whose log has no room (%s) goes on, and logs what is lost once there is room',
  async (_, makeDisk) => {
    const disk = makeDisk()
    onTestFinished(disk.remove)
    const { child, pid, readNotes } = startTalking(disk)
    await say(child, 'before')
    disk.fill(pid)
    // The first may fit in part into the last page of the file.
    for (const note of ['a'.repeat(8000), 'lost', 'also lost']) await say(child, note)
    disk.free(pid)
    for (const note of ['after', 'later']) await say(child, note)
    expect(readNotes()).toEqual([
      'before',
      'after',
      expect.stringMatching(/^[23] lines of this log are missing, because writing failed: (?:ENOSPC|EFBIG)/),
      'later',
    ])
  },
)

it('a site whose log nobody reads any more goes on selling, and ends in order', async () => {
  const site = await startSite(money)
  site.child.stdout?.destroy()
  for (let sale = 0; sale < 2; sale++) expect(await insist(await signForCatalog(), site.port)).toBe('delivered')
  expect((await site.fetch('/healthz')).status).toBe(200)
  await site.kill('SIGTERM')
  expect(site.child.exitCode).toBe(0)
})
