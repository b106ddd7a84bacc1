/**
 * Writes the bill of materials of the image, as CycloneDX, to standard output:
 *
 *     node bill-of-materials.ts NPM_SBOM NODE_MODULES DPKG
 *
 * NPM_SBOM is what `npm sbom` says of the whole lock file, NODE_MODULES what is installed of it, and DPKG the folder
 * /var/lib/dpkg of the base image. `npm sbom --omit=dev` would leave out what the project needs for development too.
 * Ends with 1 if a package is installed that the lock file does not have.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Component {
  'bom-ref': string
  type: string
  name: string
  version: string
  purl: string
  licenses?: { license: { id?: string; name?: string } }[]
}

interface Bill {
  metadata: { component: { type: string; name: string } }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

interface Manifest {
  name: string
  version: string
  /** What npm does not repeat is the name of no licence in SPDX, such as BSD. */
  license?: unknown
  /** How packages of npm's first years name theirs. */
  licenses?: { type?: string }[]
}

const [npmSbom = '', nodeModules = '', dpkg = ''] = process.argv.slice(2)

const bill = JSON.parse(readFileSync(npmSbom, 'utf8')) as Bill
const installed = new Map(packagesIn(nodeModules).map(found => [`${found.name}@${found.version}`, found]))
const isInstalled = ({ name, version }: Component) => installed.has(`${name}@${version}`)

const packages = bill.components.filter(isInstalled).map(withLicence)
const listed = new Set(packages.map(({ name, version }) => `${name}@${version}`))
const unknown = [...installed.keys()].filter(name => !listed.has(name))
if (unknown.length > 0) {
  console.error(`The lock file does not have these packages, which are installed: ${unknown.join(', ')}.`)
  process.exit(1)
}

const refs = new Set(
  bill.components.filter(component => !isInstalled(component)).map(component => component['bom-ref']),
)
const dependencies = bill.dependencies
  .filter(dependency => !refs.has(dependency.ref))
  .map(dependency => ({ ...dependency, dependsOn: dependency.dependsOn.filter(ref => !refs.has(ref)) }))
const components = [...packages, ...debianPackages(dpkg)]
// npm takes the name of the folder.
bill.metadata.component = {
  ...bill.metadata.component,
  type: 'application',
  name: 'workspace-business-service',
}
process.stdout.write(`${JSON.stringify({ ...bill, components, dependencies }, null, 1)}\n`)

/** The packages in a folder node_modules, also those inside of other packages. Links are ours. */
function packagesIn(folder: string): Manifest[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).flatMap(name =>
    name.startsWith('@') ? readdirSync(join(folder, name)).map(inner => join(name, inner)) : [name],
  )
  return names.flatMap(name => {
    const file = join(folder, name, 'package.json')
    if (name.startsWith('@wbs/') || !existsSync(file)) return []
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
    return [manifest, ...packagesIn(join(folder, name, 'node_modules'))]
  })
}

function withLicence(component: Component): Component {
  const { name, version, licenses = [] } = component
  const { license, licenses: several = [] } = installed.get(`${name}@${version}`) ?? {}
  const names = typeof license === 'string' ? [license] : several.flatMap(({ type }) => type ?? [])
  if (licenses.length > 0 || names.length === 0) return component
  return { ...component, licenses: names.map(name => ({ license: { name } })) }
}

/** The packages of Debian: all in the file `status`, or, without a package manager, each in a file of `status.d`. */
function debianPackages(folder: string): Component[] {
  const single = join(folder, 'status')
  const many = join(folder, 'status.d')
  const files = existsSync(many)
    ? readdirSync(many)
        .filter(name => !name.endsWith('.md5sums'))
        .map(name => join(many, name))
    : existsSync(single)
      ? [single]
      : []
  return files
    .flatMap(file => readFileSync(file, 'utf8').split(/\n{2,}/))
    .map(text => Object.fromEntries(text.matchAll(/^(Package|Version|Architecture): (.*)$/gm).map(pairOf)))
    .flatMap(({ Package: name, Version: version, Architecture: architecture }) => {
      if (!name || !version) return []
      const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`
      return [{ 'bom-ref': purl, type: 'library', name, version, purl }]
    })
}

function pairOf([, key = '', value = '']: RegExpExecArray): [string, string] {
  return [key, value]
}
