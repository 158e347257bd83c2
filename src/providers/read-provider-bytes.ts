import { ProviderFailed } from './provider-failed.ts'

/**
 * Decodes a provider's base64. It is checked first, because Node.js decodes malformed base64 without an error.
 *
 * @throws ProviderFailed when the text is empty or not base64
 */
export function readProviderBytes(text: string): Uint8Array {
  if (text === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(text))
    throw new ProviderFailed('unusable', 'sent a picture that is not base64')
  return Buffer.from(text, 'base64')
}
