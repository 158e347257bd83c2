import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import solc from 'solc'
import { z } from 'zod'

const Contract = z
  .object({
    abi: z.array(z.record(z.string(), z.unknown())),
    evm: z.object({
      deployedBytecode: z.object({ object: z.string().min(1), immutableReferences: z.object({}).strict() }),
    }),
  })
  .transform(({ abi, evm }) => ({ abi, runtime: `0x${evm.deployedBytecode.object}` }))

const outputs = ['abi', 'evm.deployedBytecode.object', 'evm.deployedBytecode.immutableReferences']

const CompilerOutput = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z.record(z.string(), z.record(z.string(), Contract)).optional(),
})

/**
 * Compiles one Solidity file. The output is identical on every machine, because the bytecode contains no metadata hash.
 *
 * @throws Error with the messages of the compiler, warnings included
 */
export function compileSource(file: URL, names: readonly string[]): string {
  const input = {
    language: 'Solidity',
    sources: { source: { content: readFileSync(file, 'utf8') } },
    settings: {
      optimizer: { enabled: true, runs: 1000 },
      evmVersion: 'cancun',
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      // Only the named contracts: interfaces have no code.
      outputSelection: { '*': Object.fromEntries(names.map((name) => [name, outputs])) },
    },
  }
  const { errors, contracts } = CompilerOutput.parse(JSON.parse(solc.compile(JSON.stringify(input))))
  if (errors.length > 0 || !contracts) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const compiled = contracts.source ?? {}
  return `${JSON.stringify({ solc: solc.version(), ...Object.fromEntries(names.map((name) => [name, compiled[name]])) })}\n`
}

/**
 * The exact text of `artifacts.json`, which is committed so that a start needs no compiler; a test compares the two.
 *
 * @example node src/sandbox/contracts/compile.ts
 */
export const compileContracts = (): string =>
  compileSource(new URL('./SandboxUsdc.sol', import.meta.url), [
    'SandboxUsdc',
    'SandboxEurc',
    'SandboxTestUsdc',
    'MiniMulticall3',
  ])

if (import.meta.main) {
  const file = fileURLToPath(new URL('./artifacts.json', import.meta.url))
  writeFileSync(file, compileContracts())
  process.stdout.write(`wrote ${file}\n`)
}
