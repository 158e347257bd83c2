import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findKey } from '../../src/buyer/find-key.ts'
import { makeSigner } from '../../src/buyer/sign-payment.ts'
import { UsageError } from '../../src/buyer/usage.ts'

const own = `0x${'1'.repeat(64)}` as const
const toy = `0x${'2'.repeat(64)}` as const
const folder = mkdtempSync(join(tmpdir(), 'farthing-key-'))
const sandboxFile = join(folder, 'sandbox.json')
const state = { baseUrl: 'http://localhost:4321', gameUrl: 'http://localhost:4322', buyer: { privateKey: toy } }
writeFileSync(sandboxFile, JSON.stringify(state))

const find = (url: string, more: { keyFile?: string; environment?: string; sandboxFile?: string } = {}) =>
  findKey({ keyFile: undefined, environment: undefined, sandboxFile, url: new URL(url), ...more })

describe('the key that a purchase is paid with', () => {
  it.each(['http://localhost:4321/x', 'http://127.0.0.1:4321/x', 'http://localhost:4322/api/store/unlock'])(
    "is the sandbox's own at %s",
    async (url) => {
      expect(await find(url)).toEqual({ privateKey: toy, from: 'sandbox' })
    },
  )

  it.each([
    'http://localhost:9999/x',
    'https://localhost:4321/x',
    'http://shop.example:4321/x',
    'http://localhost.shop.example:4321/x',
  ])('is not the sandbox’s at %s', async (url) => {
    expect(await find(url)).toBeUndefined()
    expect(await find(url, { environment: own })).toEqual({ privateKey: own, from: 'environment' })
  })

  it('of a real wallet signs nothing for a sandbox unless it is named for this very purchase', async () => {
    const keyFile = join(folder, 'key')
    writeFileSync(keyFile, `${own.slice(2)}\n`)
    expect(await find('http://localhost:4321/x', { environment: own })).toMatchObject({ from: 'sandbox' })
    expect(await find('http://localhost:4321/x', { keyFile })).toEqual({ privateKey: own, from: 'key file' })
  })

  it('never appears in an error about it', async () => {
    const almost = '3'.repeat(63)
    const wrong = find('https://shop.example/x', { environment: almost })
    await expect(wrong).rejects.toThrow(UsageError)
    await expect(wrong).rejects.not.toThrow(almost)
    const tooLarge = `0x${'f'.repeat(64)}` as const
    expect(() => makeSigner(tooLarge)).toThrow(UsageError)
    expect(() => makeSigner(tooLarge)).not.toThrow(/ffff/)
    await expect(find('https://shop.example/x', { keyFile: join(folder, 'none') })).rejects.toThrow(UsageError)
  })

  it('of a sandbox with a broken key file counts as absent', async () => {
    const broken = join(folder, 'broken.json')
    writeFileSync(broken, '{')
    expect(await find('http://localhost:4321/x', { sandboxFile: broken })).toBeUndefined()
  })
})
