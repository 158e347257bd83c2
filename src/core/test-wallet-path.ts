/** Where a sandbox signs with its public test key; there is no such address where money is real. */
export const testWalletPath = '/api/sandbox/wallet'
