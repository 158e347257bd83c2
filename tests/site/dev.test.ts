import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { findFreePorts } from '../support/free-ports.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

it('shows the pages and the game to whoever works on them, and ends both', { timeout: 120_000 }, async () => {
  const port = await findFreePorts()
  // Astro's own development server behaves differently under Vitest.
  const { VITEST: _vitest, ...env } = process.env
  const [site, game] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`]
  const child = spawn(process.execPath, [join(root, 'src/setup/dev.ts')], {
    cwd: root,
    env: {
      ...env,
      BASE_URL: '',
      NODE_ENV: 'development',
      PORT: String(port),
      DATA_DIR: mkdtempSync(join(tmpdir(), 'farthing-dev-')),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const statusOf = (url: string) =>
    fetch(url).then(
      ({ status }) => status,
      () => 0,
    )
  try {
    await expect.poll(() => statusOf(site), { timeout: 60_000, interval: 250 }).toBe(200)
    await expect.poll(() => statusOf(`${game}/healthz`), { timeout: 30_000, interval: 250 }).toBe(200)
    expect(await (await fetch(site)).text()).toContain('<h1')
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
    await expect.poll(() => statusOf(`${game}/healthz`), { timeout: 10_000 }).toBe(0)
    expect(await statusOf(site)).toBe(0)
  } catch (cause) {
    throw new Error(output, { cause })
  } finally {
    child.kill('SIGKILL')
  }
})
