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

const CompilerOutput = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z.object({ 'SandboxUsdc.sol': z.object({ SandboxUsdc: Contract, MiniMulticall3: Contract }) }).optional(),
})

/**
 * Compiles the sandbox contracts to the exact text of `artifacts.json`, byte for byte the same on every machine:
 * the bytecode carries no metadata hash. The artifact is committed so that a start needs no compiler;
 * a test compares the two.
 *
 * @example node src/sandbox/contracts/compile.ts
 */
export const compileContracts = (): string => {
  const content = readFileSync(new URL('./SandboxUsdc.sol', import.meta.url), 'utf8')
  const input = {
    language: 'Solidity',
    sources: { 'SandboxUsdc.sol': { content } },
    settings: {
      optimizer: { enabled: true, runs: 1000 },
      evmVersion: 'cancun',
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: {
        '*': { '*': ['abi', 'evm.deployedBytecode.object', 'evm.deployedBytecode.immutableReferences'] },
      },
    },
  }
  const { errors, contracts } = CompilerOutput.parse(JSON.parse(solc.compile(JSON.stringify(input))))
  if (errors.length > 0 || !contracts) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  return `${JSON.stringify({ solc: solc.version(), ...contracts['SandboxUsdc.sol'] })}\n`
}

if (import.meta.main) {
  const file = fileURLToPath(new URL('./artifacts.json', import.meta.url))
  writeFileSync(file, compileContracts())
  process.stdout.write(`wrote ${file}\n`)
}
