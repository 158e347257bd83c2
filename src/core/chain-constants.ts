/** The network every price is quoted on, as x402 writes it (CAIP-2): Base. Others are in `networks.ts`. */
export const network = 'eip155:8453'

/**
 * The EVM chain id of the same network. The sandbox chain has the same id, so that a signature made there is well
 * formed.
 */
export const chainId = 8453

/**
 * Circle's USDC on Base. The sandbox deploys its simulated token at this same address, so no other code has to know
 * whether money is simulated.
 */
export const usdcAddress = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

/**
 * The EIP-712 domain of USDC on Base. On Base Sepolia its name differs, and a signature over that name is void here.
 */
export const usdcDomain = { name: 'USD Coin', version: '2' } as const

/**
 * The address of Multicall3, the same on every chain. A facilitator calls it to find out why a simulated transfer
 * failed.
 */
export const multicall3Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** The EIP-712 type of an EIP-3009 transfer, as USDC has it. */
export const transferTypes = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const
