/**
 * The name of a shop where x402 has room for it (`serviceName`), else nothing: clients and facilitators refuse a whole
 * payment over one that is longer or has other letters.
 */
export const toServiceName = (name: string): string | undefined => (/^[\x20-\x7e]{1,32}$/.test(name) ? name : undefined)
