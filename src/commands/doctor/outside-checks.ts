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

/** The installation as the world sees it: its names, its certificates, and what the proxy in front lets through. */
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

/** Undefined before the first start: the doctor makes nothing. Whose folder it is that cannot be read, another check says. */
function readMirrorSecret(dataDir: string): string | undefined {
  try {
    return readFileSync(mirrorSecretFile(resolve(dataDir)), 'utf8').trim()
  } catch {
    return undefined
  }
}
