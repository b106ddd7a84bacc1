/** The package.json of the package that is published: `source` is that of the repository, which imports TypeScript. */
export const sdkManifest = (source: { name: string; version: string; license: string }) => ({
  name: source.name,
  version: source.version,
  description: 'A client for the Workspace Business Service, for Node.js, browsers and workers.',
  keywords: ['workspace', 'business', 'valuation', 'api', 'client'],
  license: source.license,
  type: 'module',
  engines: { node: '>=20' },
  sideEffects: false,
  exports: {
    '.': { types: './lib/index.d.ts', default: './lib/index.js' },
    './package.json': './package.json',
  },
  files: ['lib'],
})
