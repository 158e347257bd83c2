import { getAddress, parseAbi } from 'viem'
import type { PricedAsset } from '../core/assets.ts'
import { network, usdcDomain } from '../core/chain-constants.ts'
import type { Finding } from '../core/finding.ts'
import { ask, openLookingClient } from './ask-chain.ts'
import type { Check } from './check.ts'

const abi = parseAbi(['function name() view returns (string)', 'function version() view returns (string)'])
/** How much of the name that an unknown contract gives itself is quoted; in characters. */
const maxShown = 40

const usdcAdvice =
  'USDC_CONTRACT_ADDRESS must be USDC on Base; unset it to use the official one. Does RPC_URL serve Base?'

/** What is said about a token: USDC, another accepted token on Base, or USDC on another network. */
const toSubject = (asset: string | PricedAsset) =>
  typeof asset === 'string'
    ? { name: 'token', address: asset, domain: usdcDomain, the: 'The token', advice: usdcAdvice }
    : asset.network !== network
      ? { ...asset, name: 'token', the: 'The token', advice: 'Is RPC_URL of Base?' }
      : {
          name: `token-${asset.symbol.toLowerCase()}`,
          address: asset.address,
          domain: asset.domain,
          the: `The token ${asset.symbol}`,
          advice: `Take ${asset.symbol} out of ALSO_ACCEPTS. Does RPC_URL serve Base?`,
        }

/**
 * Checks that there is a token at its address, and that its name and version are those that buyers sign (EIP-712): with
 * others the signature is invalid and moves no money.
 */
export function makeTokenCheck(rpcUrl: string, asset: string | PricedAsset): Check {
  const client = openLookingClient(rpcUrl)
  const { domain, the, advice, ...subject } = toSubject(asset)
  const address = getAddress(subject.address)
  const wrong = (sentence: string): Finding => ({ is: 'failure', sentence, advice })
  return {
    name: subject.name,
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
        return wrong("The contract at the token's address does not give its name and version, as USDC does.")
      if (name.value !== domain.name || version.value !== domain.version) {
        const [own, signed] = [[name.value, version.value], Object.values(domain)].map((parts) =>
          parts.map((part) => JSON.stringify(part.slice(0, maxShown))).join(' version '),
        )
        return wrong(`${the} calls itself ${own}, but buyers sign for ${signed}.`)
      }
      return { is: 'ok', sentence: `${the} is at the expected address, and has the name that buyers sign for.` }
    },
  }
}
