import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const length = (size: number): Buffer => {
  if (size < 128) return Buffer.from([size])
  const bytes = Buffer.from(size.toString(16).padStart(size > 255 ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

/** A value in DER. */
const der = (tag: number, ...parts: (Buffer | string)[]): Buffer => {
  const content = Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)))
  return Buffer.concat([Buffer.from([tag]), length(content.length), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))

const pem = (name: string, content: Buffer) =>
  `-----BEGIN ${name}-----\n${content.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END ${name}-----\n`

/** A new self-made certificate (X.509) for a host, with its key. It is its own authority. */
export function makeCertificate(host: string): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, host))))
  const extensions = sequence(
    sequence(oid('551d13'), der(0x04, sequence(der(0x01, Buffer.from([0xff]))))), // basicConstraints: CA
    sequence(oid('551d11'), der(0x04, sequence(der(0x82, host)))), // subjectAltName: DNS
  )
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(der(0x18, '20200101000000Z'), der(0x18, '20990101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = sign('sha256', body, privateKey)
  const cert = sequence(body, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return {
    cert: pem('CERTIFICATE', cert),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
