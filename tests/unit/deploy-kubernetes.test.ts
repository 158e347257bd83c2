import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programSources } from '../../src/build/programs/bundle-programs.ts'
import { environmentSchema, siteSettings } from '../../src/config/environment.ts'
import { usualWholeMs } from '../../src/http/shutdown.ts'
import { makeHealthRoutes } from '../../src/site/health-routes.ts'
import { isHere } from '../support/deployed-proxies.ts'
import { findSchemaFault, findUnknownFields } from '../support/kubernetes-schemas.ts'
import { findDeployments, type Manifest, readKustomization, readManifests } from '../support/read-deployment.ts'
import { readDockerfile } from '../support/read-dockerfile.ts'

/** Taken from the system where it is installed; not a dependency. */
const kubectl = 'kubectl'
const folder = 'deploy/kubernetes/base'
const base = readKustomization(folder)
const template = 'secrets.template.yaml'
const manifests = base.resources.flatMap((name) => readManifests(join(folder, name)))
const secrets = readManifests(join(folder, template))
const deployments = findDeployments(manifests).map((each) => {
  const { spec: pod, metadata } = each.spec.template
  return { name: each.metadata.name, spec: each.spec, pod, labels: metadata.labels, program: pod.containers[0] }
})
const get = (name: string) => {
  const found = deployments.find((each) => each.name === name)
  if (!found) throw new Error(`there is no deployment ${name}`)
  return found
}
const image = readDockerfile('deploy/Dockerfile').at(-1) ?? []
const of = (instruction: string): string => image.find((step) => step.instruction === instruction)?.rest ?? ''
const figures = readFileSync('docs/performance.md', 'utf8')
/** Megabytes from a row of the published measurements. */
const measured = (row: string): number =>
  Number(new RegExp(`^\\| ${row} +\\| MB +\\| ([\\d,]+)`, 'm').exec(figures)?.[1])
const toMegabytes = (amount: string): number =>
  (Number.parseFloat(amount) * (amount.endsWith('Gi') ? 1024 ** 3 : 1024 ** 2)) / 1e6

describe('the manifests for Kubernetes', () => {
  it('are all in the kustomization, except the template of the secrets', () => {
    expect([...base.resources, 'kustomization.yaml', template].sort()).toEqual([...base.files].sort())
  })

  it.each([...manifests, ...secrets].map((each) => [`${each.kind} ${each.metadata.name}`, each] as const))(
    '%s matches the published schemas',
    async (_, manifest) => {
      expect(await findSchemaFault(manifest)).toBe('')
    },
  )

  it('have no field that Kubernetes does not know', () => {
    expect(findUnknownFields([...manifests, ...secrets])).toEqual([])
  })

  it('would be refused with a misspelled field or a value of another type', async () => {
    const [namespace] = manifests
    const wrong: Manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a', lables: {} } }
    expect(namespace?.kind).toBe('Namespace')
    expect(findUnknownFields([wrong])).toEqual([expect.stringContaining('lables')])
    expect(await findSchemaFault({ ...wrong, metadata: { name: 'a', labels: 'none' } })).toContain('labels')
  })

  it('can be built by kustomize, with the image pinned by digest', ({ skip }) => {
    skip(!isHere(kubectl), 'kubectl is not installed here: the files are read one by one above')
    const { status, stdout, stderr } = spawnSync(kubectl, ['kustomize', 'deploy/kubernetes/example'], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).not.toMatch(/image: farthing$|\bshop\.example|: farthing-(?:shop|site)$(?<!secretName.*)/m)
    expect(stdout.match(/image: registry\.example\/farthing@sha256:/g)).toHaveLength(deployments.length)
  })
})

describe.each(deployments.map((each) => [each.name, each] as const))(
  'the deployment of the %s',
  (name, { pod, ...each }) => {
    const { program, labels, spec } = each
    const file = program.command.find((part) => part.endsWith('.mjs')) ?? ''

    it('starts a program of the image with the image’s build', () => {
      const source = programSources[/programs\/([\w-]+)\.mjs$/.exec(file)?.[1] ?? ''] ?? ''
      expect(existsSync(source)).toBe(true)
      expect(program.command.slice(-2)).toEqual([file, '.build/current'])
      expect(of('CMD')).toContain('".build/current"')
      expect(program.image).toBe('farthing')
    })

    it('listens on the port of the image, and is probed on existing health routes', () => {
      const [{ containerPort, name: port }] = program.ports
      const paths = makeHealthRoutes(() => Promise.reject(new Error('not asked'))).map(({ path }) => path)
      const probes = [program.startupProbe, program.readinessProbe, program.livenessProbe]
      expect(of('EXPOSE').split(' ')).toContain(String(containerPort))
      for (const { httpGet } of probes)
        expect([port, paths]).toEqual([httpGet.port, expect.arrayContaining([httpGet.path])])
    })

    it('does not take a pod out of service for a failure of something that all pods share', () => {
      expect([program.readinessProbe.httpGet.path, program.livenessProbe.httpGet.path]).toEqual([
        '/healthz',
        '/healthz',
      ])
    })

    it('allows a start that waits for another process to stop', () => {
      const { periodSeconds, failureThreshold } = program.startupProbe
      expect(periodSeconds * failureThreshold * 1000).toBeGreaterThan(2 * usualWholeMs)
    })

    it('has time to stop after all clients have learned of it', () => {
      const pauseMs = (program.lifecycle?.preStop.sleep.seconds ?? 0) * 1000
      expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(pauseMs + usualWholeMs + 5000)
    })

    it('selects its pods by labels, as does its service', () => {
      const service = manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === name)
      expect(labels).toEqual(spec.selector.matchLabels)
      expect(service).toMatchObject({ spec: { selector: labels, ports: [{ targetPort: program.ports[0].name }] } })
    })

    it('runs as the user of the image, and mounts the image’s writable folders', () => {
      const uidOfNode = 1000
      expect([of('USER'), pod.securityContext.runAsUser]).toEqual(['node', uidOfNode])
      expect(of('ENV').split(' ')).toContain('DATA_DIR=/data')
      const mounted = program.volumeMounts.map((mount) => mount.name)
      expect(program.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(expect.arrayContaining(['/data', '/tmp']))
      expect(mounted).toEqual(pod.volumes.map((volume) => volume.name))
    })

    it('reads env files from secrets in the template, and uses only generated config maps', () => {
      const held = new Map(
        secrets.map((secret) => [secret.metadata.name, Object.keys(Object(secret['stringData']))] as const),
      )
      const files = pod.volumes.flatMap(({ name: volume, secret }) => {
        const at = program.volumeMounts.find((mount) => mount.name === volume)?.mountPath ?? ''
        return secret ? (held.get(secret.secretName) ?? []).map((key) => `--env-file=${at}/${key}`) : []
      })
      expect(program.command.filter((part) => part.startsWith('--env-file='))).toEqual(files)
      const maps = program.envFrom.map(({ configMapRef }) => configMapRef.name)
      expect(maps.filter((map) => !(map in base.configMaps))).toEqual([])
    })

    it('requests more memory than was measured', () => {
      const idle = { site: 'Footprint: resident when idle', game: 'Footprint: resident when idle' }[name] ?? ''
      const full = { site: 'Footprint: resident when idle', game: 'Dungeon, limits: memory with 15,000 idle agents' }
      expect(toMegabytes(program.resources.requests.memory)).toBeGreaterThan(1.5 * measured(idle))
      const most = measured(full[name as keyof typeof full])
      expect(toMegabytes(program.resources.limits.memory)).toBeGreaterThan(1.5 * most)
    })
  },
)

it('replaces sites and game hosts one after the other', () => {
  for (const name of ['site', 'game'] as const)
    expect(get(name).spec).toMatchObject({ strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } })
  const budgets = manifests.filter(({ kind }) => kind === 'PodDisruptionBudget')
  expect(budgets).toEqual([
    expect.objectContaining({ spec: { minAvailable: 1, selector: { matchLabels: get('site').labels } } }),
  ])
  expect(get('site').spec.replicas).toBeGreaterThan(1)
  expect(get('game').spec.replicas).toBeGreaterThan(1)
})

it('sets only settings that exist, and for the game host none that only the site reads', () => {
  const named = (keys: object) => Object.keys(keys)
  const lines = secrets.map((secret) => Object.values(Object(secret['stringData'])).join('\n'))
  const inFiles = lines.map((text) => [...text.matchAll(/^(\w+)=/gm)].map(([, key = '']) => key))
  const [shopFile = []] = inFiles
  const shop = [...named(base.configMaps['farthing-shop'] ?? {}), ...shopFile]
  const all = [...Object.values(base.configMaps).flatMap(named), ...inFiles.flat()]
  expect(all.filter((key) => !(key in environmentSchema.shape))).toEqual([])
  expect(shop.filter((key) => siteSettings.has(key))).toEqual(['BACKUP_DIR'])
  expect(get('game').program.envFrom).toEqual([{ configMapRef: { name: 'farthing-shop' } }])
})

it('contains no secret value', () => {
  const text = secrets.flatMap((secret) => Object.values(Object(secret['stringData']))).join('\n')
  expect(text.match(/=.+/g)).toBeNull()
  expect(base.resources).not.toContain(template)
})

it('routes to the services, and allows traffic only from the ingress and between game hosts', () => {
  const find = (kind: string) => manifests.filter((each) => each.kind === kind)
  const text = JSON.stringify(find('Ingress'))
  const targets = [...text.matchAll(/"service":\{"name":"(\w+)","port":\{"name":"(\w+)"/g)].map(([, to, port]) => [
    to,
    port,
  ])
  expect(targets).toEqual(['site', 'game'].map((name) => [name, get(name).program.ports[0].name]))
  const ports = deployments.map(({ program }) => ({ port: program.ports[0].containerPort }))
  expect(find('NetworkPolicy')).toEqual([
    expect.objectContaining({
      spec: expect.objectContaining({
        podSelector: {
          matchExpressions: [
            expect.objectContaining({ values: deployments.map(({ labels }) => Object.values(labels)[0]) }),
          ],
        },
        ingress: [
          expect.objectContaining({ ports }),
          {
            from: [{ podSelector: { matchLabels: get('game').labels } }],
            ports: [{ port: get('game').program.ports[0].containerPort }],
          },
        ],
      }),
    }),
  ])
})
