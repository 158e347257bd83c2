import { join, resolve } from 'node:path'
import type { Namespace } from 'kubernetes-models/v1/Namespace'
import ts from 'typescript'
import { z } from 'zod'
import type { Manifest } from './read-deployment.ts'

const moduleOf = ({ apiVersion, kind }: Manifest): string => `kubernetes-models/${apiVersion}/${kind}`

/** The validation method that the model of every kind has. */
const model = z.custom<new (data: Manifest) => Pick<Namespace, 'validate'>>((value) => typeof value === 'function')

/** The error of an object against the schemas published by Kubernetes; empty if it is valid. */
export async function findSchemaFault(manifest: Manifest): Promise<string> {
  const module: unknown = await import(moduleOf(manifest))
  const Model = z.record(z.string(), z.unknown()).parse(module)[manifest.kind]
  try {
    ;new (model.parse(Model))(manifest).validate()
    return ''
  } catch (error) {
    return `${manifest.kind} ${manifest.metadata.name}: ${String(error)}`
  }
}

/**
 * Fields that a kind does not have, and values that it does not accept. Schemas ignore unknown fields, which a cluster
 * silently drops: a misspelled probe is no probe. The TypeScript compiler reports them.
 */
export function findUnknownFields(manifests: readonly Manifest[]): string[] {
  const lines = manifests.map(
    (manifest, at) =>
      `export const o${at}: import('${moduleOf(manifest)}').I${manifest.kind} = ${JSON.stringify(manifest)}`,
  )
  const file = resolve(join('tests', 'manifests.ts'))
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es5.d.ts'],
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => resolve(name) === file || fileExists(name)
  host.getSourceFile = (name, target, ...rest) =>
    resolve(name) === file ? ts.createSourceFile(name, lines.join('\n'), target) : getSourceFile(name, target, ...rest)
  const program = ts.createProgram([file], options, host)
  const faults = [...program.getOptionsDiagnostics(), ...ts.getPreEmitDiagnostics(program, program.getSourceFile(file))]
  return faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}
