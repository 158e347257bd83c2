/**
 * The name of a shop if it is a valid `serviceName` of x402, else undefined: clients and facilitators refuse the whole
 * payment if it is longer than 32 characters or not printable ASCII.
 */
export const toServiceName = (name: string): string | undefined => (/^[\x20-\x7e]{1,32}$/.test(name) ? name : undefined)
