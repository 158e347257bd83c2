import { ProviderFailed } from './provider-failed.ts'

/**
 * The bytes behind a provider's base64, which Node would decode up to the first wrong character without a word.
 *
 * @throws ProviderFailed when there is none
 */
export function readProviderBytes(text: string): Uint8Array {
  if (text === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(text))
    throw new ProviderFailed('unusable', 'sent a picture that is not base64')
  return Buffer.from(text, 'base64')
}
