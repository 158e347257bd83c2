import { existsSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { claimDrawing } from '../../src/images/claim-drawing.ts'

const folder = mkdtempSync(join(tmpdir(), 'farthing-claims-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Takes a claim, and draws until `finish` is called. */
async function begin(claim: string) {
  const begun = Promise.withResolvers<void>()
  const drawing = Promise.withResolvers<string>()
  const draw = () => {
    begun.resolve()
    return drawing.promise
  }
  const drawn = claimDrawing(claim, () => false, draw)
  await begun.promise
  return { drawn, finish: drawing.resolve }
}

it('a process that draws for so long that its claim was taken over leaves the claim of the other process', async () => {
  const claim = join(folder, 'a.claim')
  const slow = await begin(claim)
  const longAgo = new Date(Date.now() - 90_000)
  utimesSync(claim, longAgo, longAgo)
  const other = await begin(claim)
  slow.finish('slow')
  expect([await slow.drawn, existsSync(claim)]).toEqual(['slow', true])
  other.finish('other')
  expect([await other.drawn, existsSync(claim)]).toEqual(['other', false])
})
