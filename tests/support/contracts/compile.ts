import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compileSource } from '../../../src/sandbox/contracts/compile.ts'

/** The exact text of `artifacts.json` beside this file: `node tests/support/contracts/compile.ts` writes it. */
const compileHostile = (): string =>
  compileSource(new URL('./Hostile.sol', import.meta.url), ['HostileWallet', 'Multicall', 'FakeToken'])

if (import.meta.main) writeFileSync(fileURLToPath(new URL('./artifacts.json', import.meta.url)), compileHostile())
