/** The path where a sandbox signs with its public test key. It does not exist where money is real. */
export const testWalletPath = '/api/sandbox/wallet'
