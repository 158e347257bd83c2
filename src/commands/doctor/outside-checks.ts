import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { PublicHost } from '../../health/outside/ask-mirror.ts'
import { makeCachesCheck } from '../../health/outside/check-caches.ts'
import { makeCallersCheck } from '../../health/outside/check-callers.ts'
import { makeCertificatesCheck } from '../../health/outside/check-certificates.ts'
import { makeHeadersCheck } from '../../health/outside/check-headers.ts'
import { makeNamesCheck } from '../../health/outside/check-names.ts'
import { makeSocketCheck } from '../../health/outside/check-socket.ts'
import { makeTermsCheck } from '../../health/outside/check-terms.ts'
import type { OutsideCheck } from '../../health/outside/looked.ts'
import { mirrorSecretFile } from '../../http/mirror-pass.ts'

/** Checks of the installation from outside: its names, its certificates, and what the proxy in front lets through. */
export function makeOutsideChecks(config: Config): OutsideCheck[] {
  const { baseUrl, gameUrl, wsUrl, trustedProxies, mode } = config
  const urls = [baseUrl, gameUrl, wsUrl]
  const hosts: PublicHost[] = [
    { what: 'site', origin: baseUrl },
    { what: 'game host', origin: gameUrl },
  ]
  const secret = readMirrorSecret(config.dataDir)
  return [
    makeNamesCheck(urls, mode === 'live'),
    ...(urls.some((url) => /^(?:https|wss):/.test(url)) ? [makeCertificatesCheck(urls)] : []),
    makeHeadersCheck(hosts, secret),
    makeTermsCheck(baseUrl),
    makeCallersCheck(hosts, secret, trustedProxies),
    makeCachesCheck(hosts),
    makeSocketCheck(wsUrl, gameUrl),
  ]
}

/**
 * The secret of the mirror; undefined before the first start, because the doctor creates nothing, and where it cannot
 * be read, which another check reports.
 */
function readMirrorSecret(dataDir: string): string | undefined {
  try {
    return readFileSync(mirrorSecretFile(resolve(dataDir)), 'utf8').trim()
  } catch {
    return undefined
  }
}
