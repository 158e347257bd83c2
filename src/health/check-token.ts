import { getAddress, parseAbi } from 'viem'
import { usdcDomain } from '../core/chain-constants.ts'
import type { Finding } from '../core/finding.ts'
import { ask, openChainClient } from './ask-chain.ts'
import type { Check } from './check.ts'

const abi = parseAbi(['function name() view returns (string)', 'function version() view returns (string)'])
/** Of what a stranger's contract calls itself, so much is repeated. */
const maxShown = 40

const advice = 'USDC_CONTRACT_ADDRESS must be USDC on Base; unset it for the canonical one. Is RPC_URL of Base?'

/**
 * Whether there is a token where payments are asked in, and whether it calls itself what buyers sign for (EIP-712): a
 * signature over another name or version moves no money.
 */
export function makeTokenCheck(rpcUrl: string, asset: string): Check {
  const client = openChainClient(rpcUrl)
  const address = getAddress(asset)
  const wrong = (sentence: string): Finding => ({ is: 'failure', sentence, advice })
  return {
    name: 'token',
    everyMs: 10 * 60_000,
    async run() {
      const [code, name, version] = await Promise.all([
        ask(() => client.getCode({ address })),
        ask(() => client.readContract({ address, abi, functionName: 'name' })),
        ask(() => client.readContract({ address, abi, functionName: 'version' })),
      ])
      if (code.is !== 'answered' || name.is === 'silent' || version.is === 'silent') return undefined
      if (code.value === undefined || code.value === '0x') return wrong("There is no contract at the token's address.")
      if (name.is === 'failed' || version.is === 'failed')
        return wrong("The contract at the token's address does not tell its name and version, as USDC does.")
      if (name.value !== usdcDomain.name || version.value !== usdcDomain.version) {
        const [own, signed] = [[name.value, version.value], Object.values(usdcDomain)].map((parts) =>
          parts.map((part) => JSON.stringify(part.slice(0, maxShown))).join(' version '),
        )
        return wrong(`The token calls itself ${own}, and buyers sign for ${signed}.`)
      }
      return { is: 'ok', sentence: 'The token is where payments ask for it, and has the name that buyers sign for.' }
    },
  }
}
