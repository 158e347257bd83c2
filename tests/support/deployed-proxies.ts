import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePorts } from './free-ports.ts'
import { makeThrowAwayCa } from './throw-away-ca.ts'

/** The host names under which the programs are requested. */
export const siteName = 'farthing.test'
export const gameName = 'undercroft.test'

/** Programs taken from the system where they are installed; not dependencies. */
export const isHere = (program: string): boolean => spawnSync(program, ['--help']).error === undefined

interface Ports {
  /** The port of the proxy itself. */
  readonly tls: number
  readonly plain: number
  readonly site: number
  readonly game: number
  /** Ports of further instances, which only the configuration of Caddy supports. */
  readonly others?: { readonly sites: readonly number[]; readonly games: readonly number[] }
}

/** A proxy set up as in `deploy/`: the command that runs it in a folder, and the one that checks its configuration. */
export interface Laid {
  readonly run: readonly [string, ...string[]]
  readonly check: readonly [string, ...string[]]
  readonly env: Record<string, string>
  /** The file with the authority of its certificates, once it runs. */
  readonly caFile: string
}

/** The configuration for nginx with only names, ports and paths changed. */
export function layNginx(ports: Ports): Laid {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-nginx-'))
  const ca = makeThrowAwayCa()
  const { cert, key } = ca.certify(siteName, undefined, [gameName])
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  for (const name of ['conf.d', 'snippets']) mkdirSync(join(folder, name))
  const moved = readFileSync('deploy/nginx/farthing.conf', 'utf8')
    .replaceAll('/etc/letsencrypt/live/shop.example/fullchain.pem', put('cert.pem', cert))
    .replaceAll('/etc/letsencrypt/live/shop.example/privkey.pem', put('key.pem', key))
    .replaceAll('play.shop.example', gameName)
    .replaceAll('shop.example', siteName)
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replaceAll('listen 80;', `listen 127.0.0.1:${ports.plain};`)
    .replaceAll('listen 443 ', `listen 127.0.0.1:${ports.tls} `)
    .replace('127.0.0.1:4321', `127.0.0.1:${ports.site}`)
    .replace('127.0.0.1:4322', `127.0.0.1:${ports.game}`)
  put('conf.d/farthing.conf', moved)
  put('snippets/farthing-proxy.conf', readFileSync('deploy/nginx/farthing-proxy.conf', 'utf8'))
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const conf = put(
    'nginx.conf',
    `${user}\ndaemon off;\npid ${folder}/pid;\nerror_log stderr error;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\ninclude conf.d/farthing.conf;\n}\n`,
  )
  const nginx = ['nginx', '-e', 'stderr', '-p', folder, '-c', conf] as const
  return { run: [...nginx], check: [...nginx, '-t', '-q'], env: {}, caFile: put('ca.pem', ca.cert) }
}

/** The configuration for Caddy with a local authority, because no public one signs names that end in `.test`. */
export function layCaddy(ports: Ports): Laid {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-caddy-'))
  const here = [
    ...['admin off', 'local_certs', 'skip_install_trust', 'auto_https disable_redirects', 'default_bind 127.0.0.1'],
    ...[`http_port ${ports.plain}`, `https_port ${ports.tls}`],
  ]
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, readFileSync('deploy/Caddyfile', 'utf8').replace(/^\{\n/m, `{\n\t${here.join('\n\t')}\n`))
  const config = ['--config', file, '--adapter', 'caddyfile']
  const toUpstreams = (first: number, others: readonly number[] = []) =>
    [first, ...others].map((port) => `127.0.0.1:${port}`).join(' ')
  return {
    run: ['caddy', 'run', ...config],
    check: ['caddy', 'validate', ...config],
    env: {
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      BASE_URL: `https://${siteName}:${ports.tls}`,
      GAME_URL: `https://${gameName}:${ports.tls}`,
      SITE_UPSTREAM: toUpstreams(ports.site, ports.others?.sites),
      ...(ports.others && { UPSTREAMS: 'several' }),
      GAME_UPSTREAM: toUpstreams(ports.game, ports.others?.games),
    },
    caFile: join(folder, 'caddy/pki/authorities/local/root.crt'),
  }
}

const proxies = { nginx: layNginx, caddy: layCaddy }
export type ProxyName = keyof typeof proxies

/** Runs the proxy's own check of its configuration, and returns its messages. */
export function checkProxy(name: ProxyName): { status: number | null; said: string } {
  const { check, env } = proxies[name]({ tls: 18443, plain: 18080, site: 4321, game: 4322 })
  const [program, ...args] = check
  const { status, stderr } = spawnSync(program, args, { env: { ...process.env, ...env }, encoding: 'utf8' })
  return { status, said: stderr }
}

/** Runs a proxy in front of two programs on this machine, and waits until it listens. */
export async function startProxy(name: ProxyName, upstreams: Omit<Ports, 'tls' | 'plain'>) {
  const tls = await findFreePorts()
  const { run, env, caFile } = proxies[name]({ tls, plain: tls + 1, ...upstreams })
  const [program, ...args] = run
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  while (!(await isListening(tls))) {
    if (hasEnded(child)) throw new Error(`${name} does not run: ${said}`)
    await delay(20)
  }
  return {
    port: tls,
    /** Read on request, because Caddy creates it during start. */
    ca: () => readFileSync(caFile, 'utf8'),
    async stop(): Promise<void> {
      const gone = once(child, 'exit')
      if (hasEnded(child) || !child.kill('SIGTERM')) return
      await gone
    },
  }
}

export type RunningProxy = Awaited<ReturnType<typeof startProxy>>

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
