import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compileSource } from '../../../src/sandbox/contracts/compile.ts'

const compile = (source: string, names: readonly string[]) => compileSource(new URL(source, import.meta.url), names)

/** Rewrites the committed artifacts beside this file: `node tests/support/contracts/compile.ts`. */
if (import.meta.main) {
  const write = (name: string, text: string) => writeFileSync(fileURLToPath(new URL(name, import.meta.url)), text)
  write('./artifacts.json', compile('./Hostile.sol', ['HostileWallet', 'Multicall', 'FakeToken']))
  write('./wallet-artifacts.json', compile('./Wallets.sol', ['WalletFactory']))
}
