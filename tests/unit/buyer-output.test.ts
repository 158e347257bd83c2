import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const module = pathToFileURL(join(import.meta.dirname, '../../src/buyer/deliver.ts')).href
/** Runs as an unprivileged user, because root may write everywhere; that user has to be able to read the module. */
const script = `import { checkOutput } from ${JSON.stringify(module)}
if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534) }
await checkOutput(process.argv[1]).then(() => console.log('may be written'), ({ message }) => console.log(message))`
const check = (output: string): string =>
  spawnSync(process.execPath, ['--input-type=module', '-e', script, output], {
    cwd: tmpdir(),
    encoding: 'utf8',
  }).stdout.trim()

let folder: string
beforeAll(() => {
  // The usual temporary folder may be closed to other users.
  folder = mkdtempSync(join(process.getuid?.() === 0 ? '/tmp' : tmpdir(), 'farthing-output-'))
  mkdirSync(join(folder, 'open'))
  execFileSync('mkfifo', ['-m', '666', join(folder, 'pipe')])
  writeFileSync(join(folder, 'file'), 'old')
  symlinkSync(join(folder, 'open', 'file'), join(folder, 'link'))
  writeFileSync(join(folder, 'open', 'file'), 'old')
  symlinkSync(join(folder, 'file'), join(folder, 'open', 'link'))
  chmodSync(join(folder, 'open'), 0o777)
  chmodSync(folder, 0o555)
})
afterAll(() => {
  chmodSync(folder, 0o755)
  rmSync(folder, { recursive: true })
})

it('may be a device or a pipe, in a folder where no file can be created', () => {
  expect(['/dev/null', join(folder, 'pipe')].map(check)).toEqual(['may be written', 'may be written'])
})

it('may be a link to a file that can be replaced, but not a link to one that cannot', () => {
  expect(check(join(folder, 'link'))).toBe('may be written')
  for (const output of [join(folder, 'file'), join(folder, 'open', 'link'), join(folder, 'new')])
    expect(check(output)).toContain('cannot be written')
})
