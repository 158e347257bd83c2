import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'

const settings = z.record(z.string(), z.string())
const names = z.array(z.string())
const healthcheck = z.object({ test: names })

/** A service of a compose file, with the fields that tests use. */
const service = z.looseObject({
  image: z.string(),
  command: names.optional(),
  entrypoint: names.optional(),
  environment: settings.default({}),
  secrets: names.default([]),
  volumes: names.default([]),
  networks: names,
  ports: names.default([]),
  restart: z.string(),
  stop_grace_period: z.string().optional(),
  healthcheck: healthcheck.optional(),
  depends_on: z.union([names, z.record(z.string(), z.object({ condition: z.string() }))]).default([]),
})
export type Service = z.output<typeof service>

const composeSchema = z.looseObject({
  services: z.record(z.string(), service),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
  volumes: z.record(z.string(), z.null()),
  networks: z.record(z.string(), z.object({ internal: z.boolean() }).nullable()),
})

/** Reads a compose file, with anchors resolved. */
export const readCompose = (path: string) => composeSchema.parse(parse(readFileSync(path, 'utf8'), { merge: true }))

const object = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
})
/** A Kubernetes object. */
export type Manifest = z.output<typeof object>

/** Reads the objects of a manifest file, in the YAML version that Kubernetes uses. */
export const readManifests = (path: string): Manifest[] =>
  parseAllDocuments(readFileSync(path, 'utf8'), { version: '1.1' }).map((document) => object.parse(document.toJS()))

const generator = z.looseObject({ name: z.string(), literals: names })
const kustomization = z.looseObject({
  resources: names,
  configMapGenerator: z.array(generator),
})

/** Reads a kustomization and the settings of each of its config maps. */
export function readKustomization(folder: string) {
  const read = kustomization.parse(parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')))
  const toPair = (text: string): [string, string] => {
    const at = text.indexOf('=')
    return [text.slice(0, at), text.slice(at + 1)]
  }
  const configMaps = Object.fromEntries(
    read.configMapGenerator.map(({ name, literals }) => [name, Object.fromEntries(literals.map(toPair))]),
  )
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  return { ...read, configMaps, files }
}

const probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.string() }),
  periodSeconds: z.number(),
  failureThreshold: z.number(),
})
const labels = z.record(z.string(), z.string())
const amounts = z.object({ cpu: z.string().optional(), memory: z.string() })

const deploymentSchema = z.looseObject({
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    replicas: z.number(),
    selector: z.object({ matchLabels: labels }),
    strategy: z.looseObject({ type: z.string() }),
    template: z.looseObject({
      metadata: z.object({ labels }),
      spec: z.looseObject({
        terminationGracePeriodSeconds: z.number(),
        securityContext: z.looseObject({ runAsUser: z.number(), runAsNonRoot: z.literal(true) }),
        containers: z.tuple([
          z.looseObject({
            image: z.string(),
            command: names,
            envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })),
            ports: z.tuple([z.object({ name: z.string(), containerPort: z.number() })]),
            startupProbe: probe,
            readinessProbe: probe,
            livenessProbe: probe,
            lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) }).optional(),
            resources: z.object({ requests: amounts, limits: amounts }),
            volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
          }),
        ]),
        volumes: z.array(
          z.looseObject({ name: z.string(), secret: z.looseObject({ secretName: z.string() }).optional() }),
        ),
      }),
    }),
  }),
})

/** The deployments among the objects. */
export const findDeployments = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind }) => kind === 'Deployment').map((each) => deploymentSchema.parse(each))
