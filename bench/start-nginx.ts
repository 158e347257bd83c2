import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePorts } from '../tests/support/free-ports.ts'
import type { Bench } from './row.ts'
import type { Server } from './server.ts'

/** Name of nginx in tables. */
export const nginx = 'nginx, one worker'

const startMs = 10_000

/**
 * Settings as the nginx documentation recommends for files: sendfile, full packets, cached file handles, no access log.
 * Pages are served from their folders, like ours.
 */
const toSettings = (folder: string, port: number, root: string): string => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  types { text/html html; text/css css; text/javascript js; application/json json; audio/mpeg mp3; }
  access_log off;
  sendfile on;
  tcp_nopush on;
  tcp_nodelay on;
  keepalive_requests 1000;
  open_file_cache max=1000 inactive=60s;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    root ${root};
    location / { try_files $uri $uri/index.html =404; }
  }
}
`

/** Starts nginx with one worker for a folder, or says why it is not available. `pid` is that of the worker. */
export async function startNginx({ newFolder, started }: Bench, root: string): Promise<Server | string> {
  if (spawnSync('nginx', ['-v']).status !== 0) return 'is not installed (Debian: `apt-get install nginx-light`)'
  const folder = newFolder()
  const file = join(folder, 'nginx.conf')
  const port = await findFreePorts()
  writeFileSync(file, toSettings(folder, port, root))
  const user = process.getuid?.() === 0 ? 'user root; ' : ''
  const child = spawn('nginx', ['-c', file, '-e', join(folder, 'error.log'), '-g', user], { stdio: 'inherit' })
  const gone = once(child, 'exit')
  started.defer(async () => {
    child.kill()
    await gone
  })
  const origin = `http://127.0.0.1:${port}`
  const until = performance.now() + startMs
  while (performance.now() < until && child.exitCode === null) {
    const isHere = await fetch(origin).then(
      async (answer) => (await answer.arrayBuffer()).byteLength >= 0,
      () => false,
    )
    if (isHere) return { origin, pid: findWorker(child.pid) }
    await wait(20)
  }
  throw new Error(`nginx does not listen: ${readFileSync(join(folder, 'error.log'), 'utf8')}`)
}

/** The worker process of the nginx master (proc(5), `children`). */
function findWorker(master: number | undefined): number {
  const [worker = ''] = readFileSync(`/proc/${master}/task/${master}/children`, 'utf8').split(' ')
  return Number(worker)
}
