import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toNotice } from '../../src/commands/notices/to-notice.ts'

const mit = (owner: string) =>
  `The MIT License\n\nCopyright (c) 2024 ${owner}\n\nPermission is hereby granted, free of charge.\n`
const packages = {
  '': { name: 'press' },
  'node_modules/one': {
    version: '1.0.0',
    license: 'MIT',
    optionalDependencies: { 'one-linux': '1.0.0', 'one-darwin': '1.0.0' },
  },
  'node_modules/one-linux': { version: '1.0.0', license: 'MIT', optional: true, os: ['linux'] },
  'node_modules/one-darwin': { version: '1.0.0', optional: true, os: ['darwin'] },
  'node_modules/two': { version: '2.0.0', license: 'MIT' },
  'node_modules/tool': { version: '3.0.0', license: 'MIT', dev: true },
}

let root: string
const write = (name: string, content: string | object) => {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content))
}
const lock = (more: object = {}) => write('package-lock.json', { packages: { ...packages, ...more } })
const install = (name: string, licence: string) => {
  write(`node_modules/${name}/package.json`, { name })
  write(`node_modules/${name}/LICENSE`, licence)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'notice-'))
  for (const folder of ['src', 'public', 'functions']) mkdirSync(join(root, folder))
  lock()
  install('one', mit('One Author'))
  install('two', mit('Two & Friends').replace('The MIT License', '(MIT)'))
  install('tool', mit('Nobody Here'))
})
afterEach(() => rmSync(root, { recursive: true }))

describe('NOTICE', () => {
  it('names shipped packages and their owners, and contains each licence text once', () => {
    const notice = toNotice(root)
    expect(notice).toContain(
      'one 1.0.0: Copyright (c) 2024 One Author\none-* 1.0.0\ntwo 2.0.0: Copyright (c) 2024 Two & Friends',
    )
    expect(notice.match(/Permission is hereby granted/g)).toHaveLength(1)
    expect(notice).not.toMatch(/tool|Nobody/)
  })

  it('is the same on another platform', () => {
    const here = toNotice(root)
    expect(here).toContain('one-* 1.0.0')
    install('one-linux', 'words that only Linux has')
    expect(toNotice(root)).toBe(here)
  })

  it('is not written if the licence of a package is unknown', () => {
    lock({ 'node_modules/three': { version: '1.0.0' } })
    expect(() => toNotice(root)).toThrow('node_modules/three has no licence')
  })

  it('is not written if a font has no licence file, and includes that file', () => {
    write('src/fonts/serif-latin.woff2', 'a font')
    expect(() => toNotice(root)).toThrow('src/fonts/serif-latin.woff2 has no licence beside it')
    write('src/fonts/serif-OFL.txt', 'Copyright 2020 The Serif Authors\n\nThis Font Software is licensed so.\n')
    expect(toNotice(root)).toContain(
      'serif (src/fonts)\n  Copyright 2020 The Serif Authors\n  serif-latin.woff2\n\nThis Font Software is licensed so.',
    )
  })
})
